import { parseDomainName } from '../../kernel/domain-name.ts';
import { invalidInput } from '../../kernel/faults.ts';
import { several } from '../../lib/text.ts';
import type { Operations } from '../../server/graphql/run-operation.ts';
import type { HttpRequest } from '../../server/http/http-request.ts';
import { type Handles, secondStep, unknownHandle } from './handle.ts';
import { objectSchema, variablesSchema, withValue, type Arguments } from './json-schema.ts';
import {
  approvalAddress,
  estimated,
  outcomeOf,
  renewalNote,
  replayedHandle,
  type ToolPurchase,
  type ToolQuote,
} from './notes.ts';
import type { Tool } from './tool.ts';
import { prepareDocument } from './tool-document.ts';
import {
  failedResult,
  hiddenParts,
  type PayloadError,
  sentencesOf,
  shownPrice,
  type ToolResult,
  toolResult,
} from './tool-result.ts';

/** The payload of a purchase, as far as the documents below select it. */
interface ToolPayload {
  readonly errors: readonly PayloadError[];
  readonly needsApproval?: boolean;
  readonly quote?: ToolQuote | null;
  /** Of a transfer. */
  readonly notChecked?: string;
  /** Whether the purchase was made by an earlier call. */
  readonly replayed?: boolean;
  readonly purchase?: Omit<ToolPurchase, 'errors'> | null;
}

type Earlier = Pick<ToolPayload, 'errors'> & NonNullable<ToolPayload['purchase']>;

const kinds = [
  { member: 'registration', field: 'registerDomain', type: 'RegisterDomainInput' },
  { member: 'transfer', field: 'transferDomain', type: 'TransferDomainInput' },
] as const;

/** The tools decide these. */
const ofTools: ReadonlySet<string> = new Set(['dryRun', 'maxPrice', 'maxCost', 'idempotencyKey']);

const documentsOf = (options: Operations, name: string, fields: string, ofTransfers = '') =>
  kinds.map((one) => ({
    ...one,
    document: prepareDocument(
      options,
      `mutation ${name}($${one.member}: ${one.type}!) {
        ${one.field}(input: $${one.member}) {
          ${fields} ${one.member === 'transfer' ? ofTransfers : ''} ${errorFields}
        }
      }`,
    ),
  }));

type Documents = ReturnType<typeof documentsOf>;
type PurchaseDocument = Documents[number];

/** The input of a mutation; the graph checks it. */
interface PurchaseInput {
  readonly domain?: string;
  readonly period?: unknown;
  readonly maxPrice?: unknown;
}

interface QuotedPurchase {
  readonly member: PurchaseDocument['member'];
  readonly input: PurchaseInput;
}

const quoteFields =
  'needsApproval quote { premium certainty period lowest { amount currency } highest { amount currency } renewalPrice { amount currency } reason }';
const purchaseFields =
  'id kind domainName period state price { amount currency } createdAt settledAt approval { id state expiresAt }';
const errorFields = 'errors { code message path executed retryable upstreamCode upstreamMessage }';

/**
 * The tools that buy. `buy` needs the handle of a quote, whose input has its highest price. The gateway's own promises
 * of purchases hold, because both run the mutations of the graph.
 */
export function createPurchaseTools(options: Operations, handles: Handles): readonly Tool[] {
  const quotes = documentsOf(options, 'QuotePurchase', quoteFields, 'notChecked');
  const purchases = documentsOf(options, 'BuyQuoted', `replayed purchase { ${purchaseFields} }`);
  const earlier = prepareDocument(
    options,
    `query BoughtBefore($key: String!) { purchase(by: { key: $key }) { ${purchaseFields} ${errorFields} } }`,
  );
  /** Of a handle that has expired. @throws Fault `INVALID_INPUT` when there is none. */
  const readEarlier = async (request: HttpRequest, key: string): Promise<Outcome> => {
    const { main, errors: failures } = await earlier.run<Earlier>(request, { key });
    if (failures.length > 0) return { failure: failedResult(failures, [mayBeBought]) };
    if (!main) throw unknownHandle('buy');
    const { errors, ...purchase } = main;
    return { payload: { replayed: true, purchase, errors } };
  };
  const inputs = quotes.flatMap(({ document: { operation } }) =>
    Object.entries(
      variablesSchema(options.schema, operation, { texts: purchaseTexts, without: ofTools })
        .properties,
    ),
  );
  const inputSchema = objectSchema([...inputs, ['maxPrice', maxPrice]], []);
  return [
    {
      name: 'quote_purchase',
      title: 'Quote a purchase',
      description:
        'Checks a purchase and returns its price with a handle, valid for ten minutes. Buys nothing. Show the price to the user, and call `buy` only when the user agrees. Upstream calls: at most four.',
      annotations: { readOnlyHint: true },
      inputSchema,
      listedSchema: withValue(inputSchema, 'contact', {
        ...{ type: 'object', description: purchaseTexts.contact },
      }),
      needed: quotes.flatMap(({ document }) => document.needed),
      async run(request, args) {
        const { one, input } = readPurchase(args, quotes);
        const { payload, failure } = await runDocument(request, one, { ...input, dryRun: true });
        if (!payload) return failure;
        const { quote, notChecked } = payload;
        if (payload.errors.length > 0 || !quote?.highest) {
          return refused({ ...payload, errors: one.document.named(payload.errors) });
        }
        const quoted: QuotedPurchase = {
          member: one.member,
          // Also where the input leaves the period to the gateway.
          input: { ...input, period: quote.period, maxPrice: quote.highest },
        };
        const { handle, handleExpiresAt } = await handles.make(request.caller, 'buy', quoted);
        return toolResult({ quote }, [
          `${describeQuote(one, input, quote)} ${notChecked ? `${notChecked} ` : ''}Nothing was bought. When the user agrees, call \`buy\` with "handle": "${handle}". It expires at ${handleExpiresAt}.`,
          ...(payload.needsApproval ? [needsApproval] : []),
          ...(quote.certainty === 'ESTIMATED' ? [estimated] : []),
        ]);
      },
    },
    {
      ...secondStep('buy'),
      title: 'Buy a quoted domain',
      description:
        'Buys what `quote_purchase` quoted. It spends money and cannot be undone. A handle buys once: the same call again returns the same purchase.',
      needed: purchases.flatMap(({ document }) => document.needed),
      async run(request, { handle }) {
        const { input, key } = await handles.read<QuotedPurchase>(request.caller, 'buy', handle);
        const one = purchases.find(({ member }) => member === input?.member);
        const { payload, failure } =
          input && one
            ? await runDocument(request, one, { ...input.input, idempotencyKey: key })
            : await readEarlier(request, key);
        if (!payload) return failure;
        const { purchase, errors } = payload;
        if (!purchase) return refused(payload);
        const outcome = outcomeOf({ ...purchase, errors }, (id) => approvalAddress(request, id));
        const notes = [...(payload.replayed ? [replayedHandle('bought')] : []), outcome];
        return toolResult({ ...payload }, notes, purchase.state === 'FAILED');
      },
    },
  ];
}

const maxPrice = {
  ...objectSchema(
    [
      ['amount', { type: ['string', 'number'] }],
      ['currency', { type: 'string' }],
    ],
    ['amount', 'currency'],
  ),
  description: 'A purchase that may cost more is refused.',
};

const purchaseTexts = {
  registration: 'A new domain.',
  transfer: 'A domain that moves here from another registrar.',
  acceptPremium: 'True: buys a premium name. Ask the user before.',
  authCode: 'From the current registrar. A secret.',
  contact:
    'Administrative, billing and technical contact, with members as `registrant`. Default: the registrant.',
  country: 'Two letters, such as `DE`.',
  customer: 'The customer who gets the domain.',
  lastName: 'The first name again for a person with one name.',
  line1: 'Street and number.',
  nameServers: '1 to 13 hosts; many TLDs require 2. Default: stored ones, if any.',
  period: 'Years. Default: the shortest that is sold.',
  phone: 'Such as `+49 30 123456`.',
  privacyProtected: 'True: hides the contacts. Default: stored, otherwise false.',
  profile: 'The id of a stored contact.',
  registrant: 'The holder. Default: a stored one, if any.',
  state: 'State or province.',
  transferLocked: 'Default: stored, otherwise true.',
};

/** The purchase in the arguments. @throws Fault `INVALID_INPUT` */
function readPurchase({ maxPrice, ...args }: Arguments, documents: Documents) {
  const given = documents.filter(({ member }) => (args[member] ?? null) !== null);
  const [one] = given;
  if (!one || given.length > 1) {
    throw invalidInput('Give one object: "registration" or "transfer".');
  }
  const input = args[one.member] as object;
  const whole: PurchaseInput = { ...input, ...(maxPrice !== undefined && { maxPrice }) };
  return { one, input: whole };
}

type Outcome =
  | { readonly payload: ToolPayload; readonly failure?: undefined }
  | { readonly payload?: undefined; readonly failure: ToolResult };

async function runDocument(
  request: HttpRequest,
  { member, document }: PurchaseDocument,
  input: object,
): Promise<Outcome> {
  const { main, errors } = await document.run<ToolPayload>(request, { [member]: input });
  if (main) return { payload: main };
  const isUnknown = errors.some(({ executed }) => executed !== 'NO');
  return { failure: failedResult(errors, isUnknown ? [mayBeBought] : []) };
}

const needsApproval =
  'Another person must approve this purchase: after `buy` it waits, and the result has the address where the other person decides. Tell the user.';

const mayBeBought =
  'The outcome is not known. Do not buy anything again for this domain before `purchases` shows the outcome.';

/** The quote for the user to confirm. */
function describeQuote(
  { member }: PurchaseDocument,
  { domain = '' }: PurchaseInput,
  quote: ToolQuote,
): string {
  const { period, premium, lowest, highest } = quote;
  const [from, to] = [lowest, highest].map((price) => price && shownPrice(price));
  const price = from === to ? to : `between ${from} and ${to}`;
  const name = `${premium ? 'the premium name ' : ''}${parseDomainName(domain)}`;
  return `The ${member} of ${name} for ${several(period, 'year')} costs ${price}. ${renewalNote(quote)}`;
}

/** Nothing was bought. */
function refused({ errors, quote = null }: ToolPayload): ToolResult {
  const reasons = sentencesOf(errors.filter(({ code }) => code !== 'PREMIUM_NOT_ACCEPTED'));
  const premium = errors.some(({ code }) => code === 'PREMIUM_NOT_ACCEPTED')
    ? premiumText(quote)
    : '';
  const text = [premium, reasons].filter(Boolean).join(' ') || 'The price is unknown.';
  const shown = { ...hiddenParts(errors), quote: quote?.highest ? quote : null };
  return toolResult(shown, [`Nothing was bought. ${text}`], true);
}

const premiumText = (quote: ToolQuote | null) =>
  `PREMIUM_NOT_ACCEPTED: This is a premium name${quote?.highest ? ` at ${shownPrice(quote.highest)}` : ''}. Ask the user before you pass "registration.acceptPremium": true.`;
