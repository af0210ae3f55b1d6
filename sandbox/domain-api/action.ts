import type { z } from 'zod';
import type { Reply } from '../service/http.ts';
import type { Service } from '../service/service.ts';
import type { Reseller } from '../service/store.ts';
import { sentenceOf } from './fields.ts';

export type Body = Readonly<Record<string, unknown>>;

/** What an action works with besides its request. */
export interface Context {
  readonly service: Service;
  readonly reseller: Reseller;
}

/** A row of the table of actions. */
export interface Action {
  readonly writes: boolean;
  /** The body of the 200 reply. @throws Refusal */
  readonly run: (body: Body, context: Context) => unknown;
  /** The body of the 200 reply to a wrong login. Absent: it is refused. */
  readonly refuse?: (body: Body, refusal: Refusal) => unknown;
}

type RunAction<S extends z.ZodType> = (request: z.output<S>, context: Context) => unknown;

const action =
  (writes: boolean) =>
  <S extends z.ZodType>(schema: S, run: RunAction<S>): Action => ({
    writes,
    run: (body, context) => run(readRequest(schema, body), context),
  });

export const read = action(false);
export const write = action(true);

/** @throws Refusal 400 with one sentence about the first member that is missing or wrong; TypeCrash */
export function readRequest<S extends z.ZodType>(schema: S, body: Body): z.output<S> {
  const result = schema.safeParse(body);
  if (result.success) return result.data;
  throw Refusal.invalid(sentenceOf(result.error));
}

/** What `Details` says when a call site gives nothing more exact. Registry texts (1000 and up) end in two blanks. */
const sentences: Readonly<Record<number, string>> = {
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
  2002: 'Command use error; object is already sponsored by this registrar  ',
  2003: 'Required parameter missing  ',
  2106: 'Object is not eligible for transfer  ',
  2300: 'Object pending transfer  ',
  2302: 'Object exists  ',
  2303: 'Object does not exist  ',
  2304: 'Object status prohibits operation  ',
};

/** Fills `Details` where there is no information; a refused transfer has another spelling. */
export const noDetails = 'No additional details';

/** A business failure: `Message` is `Failed` and the sentence is in `Details`, as in every captured body. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly code: number;
  readonly details: string;

  constructor(code: number, details = sentences[code] ?? '', message = 'Failed') {
    super(message);
    this.code = code;
    this.details = details;
  }

  /** Request validation, the only failure whose `Message` is a sentence. */
  static invalid(sentence: string, code = 400): Refusal {
    return new Refusal(code, sentence, sentence);
  }
}

/** The member `error` of a failure body. */
export const errorBody = ({ code, message, details }: Refusal) => ({
  Code: `API_${code}_ERROR`,
  Message: message,
  Details: details,
});

export const refusalReply = (
  refusal: Refusal,
  status = 400,
  headers: Reply['headers'] = {},
): Reply => ({ status, body: { result: 'ERROR', error: errorBody(refusal) }, headers });
