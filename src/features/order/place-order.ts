import { Fault } from '../../kernel/faults.ts';
import type { Money } from '../../kernel/money.ts';
import type { SpendLimits } from '../../kernel/spend-limits.ts';
import {
  fingerprint,
  fromStoredJson,
  storedFault,
  toStoredJson,
} from '../../kernel/stored-json.ts';
import { isVisibleTo } from '../../kernel/visibility.ts';
import type { WholePurchase } from '../../modules/purchase-job/whole-purchase.ts';
import type { HeldJob } from '../../modules/job/held-job.ts';
import { createChecks } from '../../modules/mutation/checks.ts';
import { paymentOf, periodOf } from '../../modules/purchase/checks.ts';
import type { PurchaseFlowDeps } from '../../modules/purchase/flow.ts';
import { checkKey } from '../../modules/purchase/idempotency.ts';
import type {
  ContactChoice,
  RegistrationValues,
} from '../../modules/purchase/registration-values.ts';
import type { Quote } from '../../modules/quote/quotes.ts';
import type { JobItem, JobRecord, JobResult, NewJobItem } from '../../persistence/job-record.ts';
import type { PurchaseKind } from '../../persistence/purchase-record.ts';
import { heldOrder } from './hold-order.ts';
import { withCustomers } from './line-customers.ts';
import {
  type OrderLineQuote,
  type OrderQuote,
  type QuoteOrderInput,
  quoteOrder,
  readAllStored,
} from './quote-order.ts';
import { lineFingerprint, type OrderLineInput, toPurchase } from './quoted-lines.ts';
import type { OrderTerms, OrderTermsInput, PricedLine } from './terms.ts';
import { mayBePlaced, type OnFailure, withinBalance } from './within-balance.ts';

export interface PlaceOrderInput extends QuoteOrderInput, OrderTermsInput {
  readonly idempotencyKey: string;
  readonly onFailure: OnFailure;
}

/** What the journal stores for a whole order. */
interface OrderOptions extends HeldJob {
  readonly onFailure: OnFailure;
  readonly maxTotal: readonly Money[];
  readonly maxTotalCost: readonly Money[];
  /** ISO 8601. */
  readonly quotedAt: string;
  /** The limits of the caller's key at that time. */
  readonly limits: SpendLimits;
  /** The terms that the order has besides its lines, as text. */
  readonly terms?: string | undefined;
  /** Set for an order of `retryOrder`. */
  readonly retryOf?: RetryOf | undefined;
}

/** The order whose lines an order places again, and a hash of the input. */
interface RetryOf {
  readonly jobId: string;
  readonly fingerprint: string;
}

/** The place of the fields of a contact, or the choice without fields. */
export type ContactSource = 'LINE' | 'ORDER' | ContactChoice;

/**
 * The values of a line without the fields of its contacts and its auth code, which are deleted at its end. `registrantOf` and
 * `contactOf` are absent for those of the stored defaults.
 */
interface LineOptions
  extends Pick<RegistrationValues, 'nameServers' | 'privacyProtected' | 'transferLocked'> {
  /** Null for the reseller. */
  readonly customer?: string | null | undefined;
  readonly acceptPremium?: boolean | null | undefined;
  readonly maxPrice?: Money | null | undefined;
  readonly maxCost?: Money | null | undefined;
  readonly registrantOf?: ContactSource | undefined;
  readonly contactOf?: ContactSource | undefined;
}

/** What the journal stores for a line, and readers see. */
export interface LineFacts {
  readonly kind: PurchaseKind;
  /** Years. */
  readonly period: number;
  readonly quote: Quote | null;
  /** Whether the line passed the checks when the order was placed. */
  readonly isPayable: boolean;
  /** Set for a name that was known not to be premium. */
  readonly wasNotPremium?: true | undefined;
  readonly options?: LineOptions;
}

export const optionsOf = ({ options }: JobRecord): OrderOptions => fromStoredJson(options);
export const factsOf = ({ facts }: Pick<JobItem, 'facts'>): LineFacts => fromStoredJson(facts);

/** SENT: it has a purchase. REFUSED: a check failed. CANCELLED and STOPPED: nothing was sent for it. */
export type LineOutcome = 'SENT' | 'REFUSED' | 'CANCELLED' | 'STOPPED';

export const refusedLine = (faults: readonly Fault[]): JobResult => ({
  outcome: 'REFUSED' satisfies LineOutcome,
  details: toStoredJson(faults.map(storedFault)),
});

export interface PlacedOrder {
  readonly job: JobRecord | null;
  /** Of a refused order, whose quote has no errors, and of a new one. */
  readonly quote: OrderQuote | null;
  readonly replayed: boolean;
  /** Whether an order with the idempotency key is stored. */
  readonly keyUsed: boolean;
  readonly errors: readonly Fault[];
}

export interface PlaceOrderDeps extends PurchaseFlowDeps {
  /** Starts the work on new jobs without waiting for the next poll. */
  readonly startJobs: () => void;
  readonly terms: OrderTerms;
}

/**
 * Checks an order and stores it; its lines are sent later. The same key with the same order returns the stored order, without
 * an upstream call.
 *
 * With STOP a line that fails a check refuses the order. With CONTINUE that line is stored as refused, and so are the lines
 * that the balance does not cover, counted from the first line on.
 */
export async function placeOrder(
  deps: PlaceOrderDeps,
  sent: PlaceOrderInput,
  retryOf?: RetryOf,
): Promise<PlacedOrder> {
  const { journal, account, caller, clock, randomness } = deps;
  const input = withCustomers(sent, caller);
  const checks = createChecks();
  const key = checkOrderKey(deps, input);
  const fingerprints = input.lines.map((line) => lineFingerprint(line, input.defaults ?? {}));

  const earlier = await journal.jobs.byKey(account, 'ORDER', key);
  const same = retryOf ? { retryOf } : { input, fingerprints };
  if (earlier) return replay(deps, earlier, same);

  deps.terms.check(input);
  const at = clock.now();
  const purchases = new Map<OrderLineInput, WholePurchase | null>();
  const quote = await quoteOrder(deps, input, {
    readStored: readAllStored,
    checkMore: (ofLine, line, stored) => purchases.set(line, toPurchase(ofLine, line, stored)),
    isPlaced: (preview) => mayBePlaced(preview, input.onFailure),
  });
  const { lines, errors } = input.onFailure === 'CONTINUE' ? withinBalance(quote) : quote;
  const ofLines = lines.flatMap((line) => line.errors);
  const hasPayable = lines.some((line) => line.errors.length === 0);
  if (errors.length > 0 || !hasPayable || (input.onFailure === 'STOP' && ofLines.length > 0)) {
    for (const fault of [...errors, ...ofLines]) checks.add(fault);
    const withoutErrors = {
      ...quote,
      lines: lines.map((line) => ({ ...line, errors: [] })),
      errors: [],
    };
    return {
      job: null,
      quote: withoutErrors,
      replayed: false,
      keyUsed: false,
      errors: checks.faults,
    };
  }

  const id = randomness.uuid();
  const held = heldOrder(deps, id, input, { lines, fingerprints });
  const priced = { id, lines: pricedLines(lines), isHeld: held !== null };
  const heldByTerms = await deps.terms.hold(input, priced);
  if (held) await deps.gate.hold(held);
  const heldInputs = {
    ...(held && { [held.hold.by]: held.fingerprint }),
    ...(heldByTerms !== null && { [heldByTerms]: '' }),
  };
  const [heldBy = null] = Object.keys(heldInputs);
  const options: OrderOptions = {
    heldInputs: heldBy === null ? undefined : heldInputs,
    terms: deps.terms.identify(input),
    onFailure: input.onFailure,
    maxTotal: input.maxTotal ?? [],
    maxTotalCost: input.maxTotalCost ?? [],
    quotedAt: at.toISOString(),
    limits: caller.limits,
    retryOf,
  };
  const { job, isNew } = await journal.jobs.create(
    {
      id,
      account,
      caller: caller.name,
      customer: caller.customer,
      kind: 'ORDER',
      key,
      options: toStoredJson(options),
      createdAt: at,
    },
    lines.map((line, at) => {
      const sent = input.lines[at] as OrderLineInput;
      const purchase = purchases.get(sent) ?? null;
      const fingerprint = fingerprints[at] ?? '';
      return toItem(line, { sent, purchase, fingerprint }, input.defaults ?? {});
    }),
    heldBy,
  );
  if (!isNew) return replay(deps, job, same);
  if (heldBy === null) deps.startJobs();
  const placed = { ...quote, lines, errors: [] };
  return { job, quote: placed, replayed: false, keyUsed: true, errors: [] };
}

/** The lines that passed the checks, with what the customer pays. */
const pricedLines = (lines: readonly OrderLineQuote[]): readonly PricedLine[] =>
  lines.flatMap(({ position, quote, errors }) => {
    const payment = errors.length === 0 ? quote && paymentOf(quote) : null;
    return payment ? [{ position, price: payment.retail?.price ?? payment.cost }] : [];
  });

/** Characters of `:499:3`, which the keys of the purchases add. */
const suffixLength = 6;

/** @throws Problems */
export function checkOrderKey(
  deps: PlaceOrderDeps,
  { idempotencyKey }: Pick<PlaceOrderInput, 'idempotencyKey'>,
): string {
  const checks = createChecks();
  const key = checkKey(checks, { idempotencyKey, dryRun: false }, deps, suffixLength);
  if (key === null) throw checks.problems();
  return key;
}

/** The key of a purchase of a line. A line has a second purchase when the first was never carried out. */
export const lineKey = (orderKey: string, position: number, number: number): string =>
  `${orderKey}:${position}${number === 1 ? '' : `:${number}`}`;

/** The input that an order with the same key must have, to be the same order. */
type SameOrder =
  | { readonly retryOf: RetryOf }
  | { readonly input: PlaceOrderInput; readonly fingerprints: readonly string[] };

/** @throws Fault `IDEMPOTENCY_CONFLICT` when the order differs, or belongs to another caller. */
export async function replay(
  { journal, caller, terms }: PlaceOrderDeps,
  job: JobRecord,
  same: SameOrder,
): Promise<PlacedOrder> {
  if (!isVisibleTo(caller, job)) {
    throw conflict('belongs to an order of another caller', ['idempotencyKey']);
  }
  if ('retryOf' in same) {
    if (toStoredJson(optionsOf(job).retryOf ?? null) !== toStoredJson(same.retryOf)) {
      throw conflict('belongs to another order', ['idempotencyKey']);
    }
    return { job, quote: null, replayed: true, keyUsed: true, errors: [] };
  }
  const items = await journal.jobs.items([job.id]);
  const difference = differenceOf(terms, job, items, same);
  if (difference)
    throw conflict('belongs to another order; this is the first difference', difference);
  return { job, quote: null, replayed: true, keyUsed: true, errors: [] };
}

const conflict = (why: string, path: readonly string[]) =>
  new Fault('IDEMPOTENCY_CONFLICT', {
    message: `The "idempotencyKey" ${why}. Send a new order with a new key.`,
    path: ['input', ...path],
  });

/** The path of the first difference between a stored order and an input; null when they are equal. */
function differenceOf(
  terms: OrderTerms,
  job: JobRecord,
  items: readonly JobItem[],
  { input, fingerprints }: Extract<SameOrder, { readonly input: object }>,
): readonly string[] | null {
  const at = fingerprints.findIndex((one, position) => one !== items[position]?.fingerprint);
  if (at >= 0) return ['lines', String(at)];
  if (fingerprints.length !== items.length) return ['lines'];
  const options = optionsOf(job);
  if (options.onFailure !== input.onFailure) return ['onFailure'];
  if (options.terms !== terms.identify(input)) return [terms.member];
  for (const name of ['maxTotal', 'maxTotalCost'] as const) {
    const isSame =
      fingerprint('', { limit: options[name] }) === fingerprint('', { limit: input[name] ?? [] });
    if (!isSame) return [name];
  }
  return null;
}

interface StoredLine {
  readonly sent: OrderLineInput;
  /** Null when a value that it needs is missing. */
  readonly purchase: WholePurchase | null;
  readonly fingerprint: string;
}

function toItem(
  line: OrderLineQuote,
  { sent, purchase, fingerprint }: StoredLine,
  shared: RegistrationValues,
): NewJobItem {
  const { position, kind, text, quote, premium, errors } = line;
  const isPayable = errors.length === 0;
  const period = periodOf(sent.registration ?? sent.transfer ?? {}, { quote });
  const options = optionsOfLine(sent, purchase, shared);
  const wasNotPremium = premium === false || undefined;
  const facts: LineFacts = { kind, period, quote, isPayable, wasNotPremium, options };
  return {
    position,
    domain: text,
    fingerprint,
    facts: toStoredJson(facts),
    input: toStoredJson(purchase),
    result: isPayable ? null : refusedLine(errors),
  };
}

function optionsOfLine(
  { registration, transfer }: OrderLineInput,
  purchase: WholePurchase | null,
  shared: RegistrationValues,
): LineOptions {
  if (!registration) {
    const { customer, maxPrice, maxCost } = transfer;
    return { customer, maxPrice, maxCost };
  }
  const { customer, acceptPremium, maxPrice, maxCost } = registration;
  const { nameServers, privacyProtected, transferLocked } =
    purchase?.kind === 'REGISTRATION' ? purchase.input : { ...shared, ...registration };
  const sourceOf = (field: 'registrant' | 'contact'): ContactSource | undefined => {
    const choice = registration[field] ?? shared[field];
    if (!choice?.fields) return choice ?? undefined;
    return registration[field] ? 'LINE' : 'ORDER';
  };
  return {
    ...{ customer, acceptPremium, maxPrice, maxCost },
    ...{ nameServers, privacyProtected, transferLocked },
    registrantOf: sourceOf('registrant'),
    contactOf: sourceOf('contact'),
  };
}
