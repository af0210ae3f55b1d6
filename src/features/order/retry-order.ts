import { type Fault, invalidInput } from '../../kernel/faults.ts';
import { fingerprint } from '../../kernel/stored-json.ts';
import { type Checks, createChecks } from '../../modules/mutation/checks.ts';
import { isHiddenFrom } from '../../modules/purchase/idempotency.ts';
import type { ContactChoice } from '../../modules/purchase/registration-values.ts';
import type { JobItem, JobRecord } from '../../persistence/job-record.ts';
import { type OrderLineState, toLine } from './order.ts';
import {
  type ContactSource,
  checkOrderKey,
  factsOf,
  optionsOf,
  type PlacedOrder,
  type PlaceOrderDeps,
  placeOrder,
  replay,
} from './place-order.ts';
import type { QuoteOrderInput } from './quote-order.ts';
import type { OrderLineInput } from './quoted-lines.ts';
import type { OrderTermsInput } from './terms.ts';

/** The values of one line, which the gateway deleted at its end. */
interface RetryLineInput {
  readonly position: number;
  readonly registrant?: ContactChoice | null | undefined;
  readonly contact?: ContactChoice | null | undefined;
  readonly authCode?: string | null | undefined;
}

/** The limits are those of the new order. */
export interface RetryOrderInput
  extends Pick<QuoteOrderInput, 'maxTotal' | 'maxTotalCost'>,
    OrderTermsInput {
  readonly idempotencyKey: string;
  /** Of all registrations that had the one of `defaults`, as is `contact`. */
  readonly registrant?: ContactChoice | null | undefined;
  readonly contact?: ContactChoice | null | undefined;
  readonly lines?: readonly RetryLineInput[] | null | undefined;
}

/**
 * Places the lines of an order that has ended again, as a new order: those that were not sent, and those that failed. A line
 * whose domain has another purchase since then is left out, unless that one failed. The same key returns the same order.
 *
 * @throws Problems when no line can be placed, and when a value that was deleted is missing.
 */
export async function retryOrder(
  deps: PlaceOrderDeps,
  job: JobRecord,
  input: RetryOrderInput,
): Promise<PlacedOrder> {
  const { journal, account } = deps;
  const key = checkOrderKey(deps, input);
  const { idempotencyKey, ...again } = input;
  const retryOf = { jobId: job.id, fingerprint: fingerprint('RETRY', again) };
  const earlier = await journal.jobs.byKey(account, 'ORDER', key);
  if (earlier) return replay(deps, earlier, { retryOf });

  const checks = createChecks();
  const given = new Map(input.lines?.map((line) => [line.position, line]));
  if (given.size < (input.lines?.length ?? 0)) checks.add(repeatedPosition);
  const items = await journal.jobs.items([job.id]);
  checkUsed(checks, items, input);
  const lines = (await itemsToRetry(deps, job, items)).map((item) =>
    lineAgain(checks, item, input, given.get(item.position)),
  );
  if (lines.length === 0) throw nothingToRetry;
  checks.finish();
  const { onFailure } = optionsOf(job);
  const { registrant: _registrant, contact: _contact, ...limited } = input;
  return placeOrder(deps, { ...limited, lines, onFailure }, retryOf);
}

const retried: ReadonlySet<OrderLineState> = new Set(['FAILED', 'CANCELLED']);

async function itemsToRetry(
  { journal, account, clock, caller }: PlaceOrderDeps,
  { id, createdAt }: JobRecord,
  items: readonly JobItem[],
): Promise<readonly JobItem[]> {
  const ofLines = await journal.byLines(
    account,
    id,
    items.map(({ position }) => position),
  );
  const byLine = new Map(ofLines.map((one) => [one.orderLine, one]));
  const now = clock.now();
  const ended = items.filter((item) =>
    retried.has(toLine(item, byLine.get(item.position) ?? null, now).state),
  );
  const ofDomains = await journal.byDomains(
    account,
    ended.map(({ domain }) => domain),
  );
  const bought = new Set(
    ofDomains
      .filter((one) => one.state !== 'FAILED' && one.claimedAt >= createdAt)
      .filter((one) => !isHiddenFrom(caller, one))
      .map(({ domain }) => domain as string),
  );
  return ended.filter(({ domain }) => !bought.has(domain));
}

const nothingToRetry = invalidInput(
  'No line of this order can be placed again: each was bought, or its purchase is open.',
  { path: ['input', 'by'] },
);

/** Refuses a value that no line of the order can have. */
function checkUsed(checks: Checks, items: readonly JobItem[], input: RetryOrderInput): void {
  const facts = new Map(items.map((item) => [item.position, factsOf(item)]));
  for (const { position, registrant, contact, authCode } of input.lines ?? []) {
    const kind = facts.get(position)?.kind;
    const refuse = (why: string) =>
      checks.add(invalidInput(`"lines" has position ${position}, which is ${why}.`, linesPath));
    if (!kind) refuse('no line of the order');
    if (kind === 'REGISTRATION' && authCode) refuse('a registration and has no auth code');
    if (kind === 'TRANSFER' && (registrant || contact)) refuse('a transfer and has no contacts');
  }
  for (const field of ['registrant', 'contact'] as const) {
    const isUsed = [...facts.values()].some(
      ({ kind, options }) =>
        kind === 'REGISTRATION' && (options?.[`${field}Of`] ?? 'ORDER') === 'ORDER',
    );
    if (!input[field] || isUsed) continue;
    const message = `No line of the order takes "${field}": leave it out, or set it in "lines".`;
    checks.add(invalidInput(message, { path: ['input', field] }));
  }
}

const linesPath = { path: ['input', 'lines'] };

const repeatedPosition = invalidInput('"lines" has the same position several times.', linesPath);

/** The line as a client sends it. Records a fault for each value that is missing. */
function lineAgain(
  checks: Checks,
  item: JobItem,
  input: RetryOrderInput,
  own: RetryLineInput | undefined,
): OrderLineInput {
  const { kind, period, options = {} } = factsOf(item);
  const { domain } = item;
  const { registrantOf, contactOf, acceptPremium, ...values } = options;
  if (kind === 'TRANSFER') {
    const { authCode } = own ?? {};
    if (!authCode) checks.add(missingOfLine('auth code', item));
    return {
      transfer: {
        domain,
        period,
        authCode: authCode ?? '',
        maxPrice: values.maxPrice,
        maxCost: values.maxCost,
        customer: values.customer,
      },
    };
  }
  const again = (
    field: 'registrant' | 'contact',
    of: ContactSource | undefined,
  ): ContactChoice | null => {
    const sent = own?.[field];
    if (sent) return sent;
    if (typeof of === 'object') return of;
    const shared = of === 'LINE' ? null : input[field];
    if (of && !shared) checks.add(missing(field, of, item));
    return shared ?? null;
  };
  const registrant = again('registrant', registrantOf);
  const contact = again('contact', contactOf);
  return {
    registration: {
      ...values,
      domain,
      period,
      registrant,
      contact,
      acceptPremium: acceptPremium ?? false,
    },
  };
}

const missing = (field: 'registrant' | 'contact', of: 'LINE' | 'ORDER', item: JobItem): Fault =>
  of === 'LINE'
    ? missingOfLine(`own ${field}`, item)
    : invalidInput(`"${field}" is missing: the gateway deleted it when the order ended.`, {
        path: ['input', field],
      });

const missingOfLine = (what: string, { domain, position }: JobItem): Fault =>
  invalidInput(
    `The ${what} of line ${position}, ${domain}, is missing: the gateway deleted it when the line ended. Set it in "lines".`,
    linesPath,
  );
