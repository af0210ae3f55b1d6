import type { DomainName } from '../../kernel/domain-name.ts';
import { Fault } from '../../kernel/faults.ts';
import { unsettledStates } from '../../kernel/purchase-states.ts';
import type { CallBudget } from '../../kernel/upstream-calls.ts';
import { isAboutCosts, isVisibleTo } from '../../kernel/visibility.ts';
import { composed } from '../../lib/text.ts';
import type { PurchaseKind, PurchaseRecord } from '../../persistence/purchase-record.ts';
import type { Reads } from '../../scope/reads.ts';
import type { CallOptions } from '../../upstream/client/operation.ts';
import type { Holds } from '../job/holds.ts';
import { type Checks, createChecks } from '../mutation/checks.ts';
import type { Gate } from '../mutation/gate.ts';
import type { Quote } from '../quote/quotes.ts';
import {
  checkBalance,
  checkPrice,
  isClear,
  type Priced,
  type PricedOrder,
  type PurchaseGuards,
  periodOf,
} from './checks.ts';
import { type CommitDeps, commitPurchase, type Intent, type SendPurchase } from './commit.ts';
import { type CountedAmount, costOf, countedInPreview } from './counted.ts';
import { holdPurchase } from './hold-purchase.ts';
import {
  checkKey,
  domainBusy,
  isHiddenFrom,
  isKeyUsed,
  keyConflict,
  purchaseFingerprint,
} from './idempotency.ts';
import { type PurchasePayload, toPayload, toRefusedPayload } from './payload.ts';
import { checkPurchaser } from './purchaser.ts';
import type { ValueStore } from './registration-values.ts';
import { settleByReading } from './settle.ts';
import { checkCountedLimits, checkPurchaseLimits } from './spend-limits.ts';

export interface PurchaseFlowDeps extends CommitDeps {
  readonly gate: Gate;
  readonly holds: readonly Holds[];
  /** Of the calls of the request. A disconnecting client does not cancel the purchase call. */
  readonly options: CallOptions & { readonly budget: CallBudget };
  /** Uncached reads, for the checks. */
  readonly reads: Reads;
  /** The `Idempotency-Key` header; null without one. */
  readonly idempotencyKey: string | null;
  readonly valueStore: ValueStore;
  /** Why the caller may not make a purchase without an order; null when it may. */
  readonly refusalAlone: () => Fault | null;
}

/** The canonical input of any purchase. */
export interface PurchaseInput extends PurchaseGuards {
  /** Null when the text is not a domain name. */
  readonly domain: DomainName | null;
  /** Years; absent for the default of the TLD. */
  readonly period?: number | null | undefined;
}

/** The parts of a purchase in which registrations and transfers differ. */
export interface PurchaseOperation<Input> {
  readonly kind: PurchaseKind;
  /** The input with each name in one spelling, for the fingerprint. */
  identify(input: Input): PurchaseInput;
  /** Makes the checks that need no upstream call, with the stored values that the input names or leaves out. */
  prepare(
    checks: Checks,
    input: Input,
    deps: PurchaseFlowDeps,
  ): PreparedPurchase | Promise<PreparedPurchase>;
}

export interface PreparedPurchase {
  /** Null, with the fault recorded, when the text is not a domain name. */
  readonly domain: DomainName | null;
  /** The input with its stored values, which makes the same purchase later. */
  readonly input: object;
  /** The checks that read the upstream. */
  check(reads: Reads, domain: DomainName): Promise<Priced>;
  /** The one upstream call that spends money; null when a check failed. */
  readonly send: SendPurchase | null;
}

/**
 * One purchase from input to payload. Money is spent at most once.
 *
 * All checks that cost nothing precede the claim, and every failed check is reported. A disconnecting client cancels the
 * reads of the checks, and nothing from the claim on.
 */
export async function runPurchase<Input extends PurchaseGuards>(
  deps: PurchaseFlowDeps,
  { kind, identify, prepare }: PurchaseOperation<Input>,
  rawInput: Input,
): Promise<PurchasePayload> {
  const checks = createChecks();
  const customer = composed(rawInput.customer) ?? deps.caller.customer;
  const sent = { ...rawInput, customer };
  const input = identify(sent);
  const { domain, dryRun } = input;
  const facts = { quote: null as Quote | null, dryRun, isHeld: false, clock: deps.clock };
  const ofKey = createChecks();
  const key = checkKey(ofKey, input, deps);
  try {
    const fingerprint = purchaseFingerprint(kind, input);
    const intent = domain && { kind, domain, customer, key, fingerprint };
    const replayed = intent && !dryRun ? await replayEarlier(deps, intent) : null;
    if (replayed) return toPayload(facts, { purchase: replayed, replayed: true });

    const refusal = deps.refusalAlone();
    if (refusal) throw refusal;
    checkPurchaser(checks, deps.caller, customer);
    const { check, send, input: whole } = await prepare(checks, sent, deps);
    for (const fault of ofKey.faults) checks.add(fault);
    if (!intent) throw checks.problems();

    const priced = await check(deps.reads, intent.domain);
    facts.quote = priced.quote;
    const period = periodOf(input, priced);
    const { maxPrice, maxCost } = input;
    const order = { domain: intent.domain, period, maxPrice, maxCost, dryRun };
    const { payment, counted, balanceAfter } = await checkMoney(deps, checks, order, priced);
    if (checks.faults.length > 0) {
      // The obstacle may be this very purchase: sent by a duplicate request, and completed during the checks.
      const completed = dryRun ? null : await replayEarlier(deps, intent);
      if (completed) return toPayload(facts, { purchase: completed, replayed: true });
      checks.finish();
    }
    if (!send || !payment || !counted) throw new Fault('PRICE_UNAVAILABLE');
    const { premium } = priced;
    const hold = deps.gate.decide([kind], { cost: counted, premium, count: 1 });
    facts.isHeld = hold !== null;
    if (dryRun) return toPayload(facts, { balanceAfter });

    const checked = { ...intent, ...payment, period, balanceAfter, lease: null };
    const bought = hold
      ? await holdPurchase(deps, checked, { hold, input: whole })
      : await commitPurchase(deps, checked, send);
    const { purchase } = bought;
    return bought.replayed
      ? toPayload(facts, { purchase: await replay(deps, purchase), replayed: true })
      : toPayload(facts, { purchase, balanceAfter });
  } catch (error) {
    const mayBeUsed = !dryRun && key !== null;
    const keyUsed = mayBeUsed && (await isKeyUsed(() => deps.journal.byKey(deps.account, key)));
    return toRefusedPayload(facts, kind, error, keyUsed);
  }
}

/**
 * The earlier purchase with this key and input, settled as far as a read can; null when there is none.
 *
 * @throws Fault `IDEMPOTENCY_CONFLICT` for other input, for a key of another caller, and while another key has an open
 * purchase of the domain.
 */
async function replayEarlier(
  deps: PurchaseFlowDeps,
  { kind, domain, key, fingerprint }: Intent,
): Promise<PurchaseRecord | null> {
  const { journal, account, caller } = deps;
  const purchase = key === null ? null : await journal.byKey(account, key);
  if (purchase?.fingerprint === fingerprint) return replay(deps, purchase);
  if (purchase) throw keyConflict(purchase, caller);
  const filter = { domain, kinds: [kind], states: unsettledStates };
  const [open] = await journal.list(account, { filter, limit: 1 });
  // The claim refuses it later. Until then the reads are those of a name that the account does not have.
  if (open && !isHiddenFrom(caller, open)) throw domainBusy(open, caller);
  return null;
}

async function replay(deps: PurchaseFlowDeps, purchase: PurchaseRecord): Promise<PurchaseRecord> {
  if (!isVisibleTo(deps.caller, purchase)) throw keyConflict(purchase, deps.caller);
  return settleByReading(deps, purchase);
}

/**
 * The checks of price, balance and spend limits. Balance and limits count the highest amount of the quote, because the debit
 * may be that high: see `countedInPreview`. A purchase that is refused for another reason is a preview too. The price of a
 * refused name or period is not checked.
 */
async function checkMoney(
  deps: PurchaseFlowDeps,
  checks: Checks,
  order: PricedOrder & Pick<PurchaseInput, 'dryRun'>,
  { tld, quote }: Priced,
) {
  const isPriced = isClear(checks, 'domain', 'period');
  const payment = isPriced ? checkPrice(checks, order, quote, deps.caller) : null;
  const isRefused = order.dryRun || checks.faults.length > 0;
  const inPreview = countedInPreview(deps.caller);

  const countedBy = async (amountOf: CountedAmount) => {
    const ofMoney = createChecks();
    const counted = payment && amountOf(payment);
    const balanceAfter = await checkBalance(ofMoney, deps.reads, counted);
    const plan = { tld: tld?.name ?? null, period: order.period, cost: counted };
    checkPurchaseLimits(deps.limits, ofMoney, plan);
    const countsEarlierCosts = amountOf === costOf;
    const breaches = await checkCountedLimits(deps, ofMoney, counted, { countsEarlierCosts });
    const { faults } = ofMoney;
    return { faults, breaches, money: { payment, counted, balanceAfter } };
  };
  const preview = inPreview === costOf ? null : await countedBy(inPreview);
  const isPreview = preview && (isRefused || !preview.faults.every(isAboutCosts));
  const found = isPreview ? preview : await countedBy(costOf);
  for (const fault of found.faults) checks.add(fault);
  if (!order.dryRun && !isPreview) {
    deps.spendObserver?.refused(deps.caller, found.breaches, payment?.cost ?? null);
  }
  return found.money;
}
