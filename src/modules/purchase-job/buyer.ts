import type { Caller } from '../../kernel/caller.ts';
import { Fault } from '../../kernel/faults.ts';
import { type Decimal, formatMoney, type Money } from '../../kernel/money.ts';
import type { ScopedLimits, SpendLimits } from '../../kernel/spend-limits.ts';
import { fromStoredJson } from '../../kernel/stored-json.ts';
import type { Randomness } from '../../lib/clock.ts';
import type { JobRecord } from '../../persistence/job-record.ts';
import { domainReads } from '../domain/loader.ts';
import type { Holds } from '../job/holds.ts';
import type { RecorderOfItem } from '../job/job-recorder.ts';
import type { OpenReads } from '../job/parts.ts';
import type { Checks } from '../mutation/checks.ts';
import { type Payment, type Priced, paymentOf } from '../purchase/checks.ts';
import type { CommitDeps } from '../purchase/commit.ts';
import type { SettlingTenant } from '../purchase/conclude.ts';
import { checkPurchaseLimits } from '../purchase/spend-limits.ts';
import type { WholePurchase } from './whole-purchase.ts';

export interface BuyingTenant
  extends SettlingTenant,
    Pick<CommitDeps, 'domainApi' | 'spendObserver' | 'writeDeadlineMs'> {
  readonly openReads: OpenReads;
  readonly recorderOf: RecorderOfItem;
  readonly holds: readonly Holds[];
  readonly randomness: Randomness;
  readonly limitsOf: (caller: Caller) => ScopedLimits;
  /** The caller of a job with the rights of now; null when its key was revoked, has expired or is bound to another customer. */
  readonly currentCaller: (before: Omit<Caller, 'tenant'>) => Caller | null;
}

export interface BuyerDeps extends CommitDeps {
  readonly holds: readonly Holds[];
}

/** The limits of the caller of a job when it was made. */
export const limitsOf = ({ options }: JobRecord): SpendLimits =>
  fromStoredJson<{ readonly limits: SpendLimits }>(options).limits;

/** The caller of a job with its rights of now, as it buys. `typename` is the type of the job in the graph. */
export function buyerOf(tenant: BuyingTenant, typename: string, job: JobRecord): BuyerDeps {
  const scopes = new Set(['domains:spend'] as const);
  const { caller: name, account: tenantOfJob, customer } = job;
  const placed = { name, tenant: tenantOfJob, customer, scopes, limits: limitsOf(job) };
  const caller = tenant.currentCaller(placed) ?? { ...placed, scopes: new Set() };
  const { recorder, options } = tenant.recorderOf(typename, job);
  const domains = tenant.openReads(null, options).use(domainReads);
  return {
    ...tenant,
    caller,
    limits: tenant.limitsOf(caller),
    options,
    domains,
    recordSend: ({ kind, domain, fingerprint }, work) => {
      const operation = kind === 'REGISTRATION' ? 'registerDomain' : 'transferDomain';
      const write = { operation, subject: domain, input: fingerprint };
      return recorder.write(write, work, ({ fault, state }) => fault?.code ?? state);
    },
    readReseller: () => tenant.domainApi.resellerdetails({}, options),
    invalidate(name) {
      tenant.invalidate(name);
      domains.invalidate(name);
    },
  };
}

/** Whether the same purchase may be sent later. A limit that other purchases used up may stay so for a day. */
export const isTemporary = ({ retryable, code }: Fault): boolean =>
  retryable && code !== 'SPEND_LIMIT_EXCEEDED';

/** The default period of a purchase is that of its quote, also when the price list has changed since. */
export const withPeriod = (purchase: WholePurchase, period: number): WholePurchase =>
  ({ ...purchase, input: { ...purchase.input, period } }) as WholePurchase;

interface QuotedPurchase {
  readonly quoted: Payment;
  readonly period: number;
  /** Of a purchase that was held: why a higher cost is refused; null for any other. */
  readonly costRoseAfterHold: Fault | null;
  /** How far the cost may rise above the quoted one, as a factor; null when it may not. The price is then fixed. */
  readonly highestRise: Decimal | null;
  /** Whether the name was known not to be premium. */
  readonly wasNotPremium?: boolean | undefined;
}

/**
 * The payment of a purchase with the cost of now. The customer pays the quoted price.
 *
 * @throws Problems or Fault when it cannot be bought for the quoted price and the quoted cost any more.
 */
export async function paymentNow(
  { limits }: Pick<CommitDeps, 'limits'>,
  checks: Checks,
  { quoted, period, costRoseAfterHold, highestRise, wasNotPremium = false }: QuotedPurchase,
  check: () => Promise<Priced>,
): Promise<Payment> {
  const { quote, tld, premium } = await check();
  const now = quote && paymentOf(quote);
  const cost = now?.cost ?? null;
  checkPurchaseLimits(limits, checks, { tld: tld?.name ?? null, period, cost });
  checks.finish();
  if (!now) throw new Fault('PRICE_UNAVAILABLE');
  if (wasNotPremium && premium !== false && !costRoseAfterHold) throw becamePremium;
  const hasRisenCost = !isWithin(now.cost, quoted.cost);
  if (hasRisenCost && highestRise && isWithin(now.cost, timesRise(quoted.cost, highestRise))) {
    return { ...quoted, cost: now.cost };
  }
  if (hasRisenCost && costRoseAfterHold) throw costRoseAfterHold;
  const [highest, maxPrice] = [priceOf(now), priceOf(quoted)];
  if (!isWithin(highest, maxPrice)) {
    throw new Fault('MAX_PRICE_EXCEEDED', {
      message: `The price rose after it was requested: it may cost up to ${formatMoney(highest)}, and the quote was ${formatMoney(maxPrice)}.`,
      facts: { highest, maxPrice },
    });
  }
  // A fixed price does not follow the cost, which `maxCost` and the gate were given.
  if (hasRisenCost) throw costRose;
  return quoted.retail ? { ...quoted, cost: now.cost } : now;
}

const timesRise = ({ amount, currency }: Money, rise: Decimal): Money => ({
  amount: amount.times(rise),
  currency,
});

const priceOf = ({ retail, cost }: Payment): Money => retail?.price ?? cost;

const isWithin = (price: Money, most: Money): boolean =>
  price.currency === most.currency && price.amount.compare(most.amount) <= 0;

// The gate was given a name that was not premium.
const becamePremium = new Fault('PREMIUM_NOT_ACCEPTED', {
  message:
    'The name became premium after the quote, so nothing was sent. Request a new quote before you buy again.',
});
// Without the amounts: the requester may not know costs.
const costRose = new Fault('MAX_PRICE_EXCEEDED', {
  message:
    'The cost rose after the quote, so nothing was sent. Request a new quote before you buy again.',
});
