import type { Reply } from '../http.ts';

/** The service's own codes, whose message is a sentence. */
const ownMessages: Readonly<Record<number, string>> = {
  300: 'Reseller not found!',
  310: 'TLD is not supported.',
  320: 'TLD not found.',
  330: 'Required registrant data is missing for this TLD.',
  340: 'Price definition not found.',
  350: 'Reseller balance is not enough.',
  362: 'Premium domain is not registrable now.',
  510: 'Domain not found.',
  530: 'Period is not valid for this TLD.',
  540: 'Period exceeds the maximum total years.',
  550: 'Domain length is not valid for this TLD.',
  560: 'Name server count is not valid for this TLD.',
  561: 'Name server is not defined.',
  570: 'IDN is not supported for this TLD.',
  580: 'Transfer is not supported for this TLD.',
  582: 'Transfer was started by another reseller.',
  590: 'Transfer code is required.',
  592: 'Transfer lock is on.',
};

/** What the registry says, where a call site says nothing more exact. */
const registryDetails: Readonly<Record<number, string>> = {
  2002: 'Command use error; object is already sponsored by this registrar  ',
  2003: 'Required parameter missing  ',
  2106: 'Object is not eligible for transfer  ',
  2300: 'Object pending transfer  ',
  2302: 'Object exists  ',
  2303: 'Object does not exist  ',
  2304: 'Object status prohibits operation  ',
};

/** A business failure. Registry codes (1000 and up) say `Failed` and leave the reason to the details. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly code: number;
  readonly details: string;

  constructor(code: number, details?: string, message?: string) {
    super(message ?? ownMessages[code] ?? 'Failed');
    this.code = code;
    this.details = details ?? ownMessages[code] ?? registryDetails[code] ?? '';
  }

  /** Request validation: the message is a sentence. */
  static invalid(sentence: string): Refusal {
    return new Refusal(400, sentence, sentence);
  }

  /** A contact that the registry does not take: the message is `Failed`. */
  static contact(details: string): Refusal {
    return new Refusal(400, details, 'Failed');
  }
}

/** The member `error` of a failure body. */
export const errorBody = ({ code, message, details }: Refusal) => ({
  Code: `API_${code}_ERROR`,
  Message: message,
  Details: details,
});

export const refusalReply = (refusal: Refusal): Reply => ({
  status: 400,
  body: { result: 'ERROR', error: errorBody(refusal) },
});
