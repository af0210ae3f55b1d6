import type { Caller } from '../../kernel/caller.ts';
import type { DomainName } from '../../kernel/domain-name.ts';
import { Fault } from '../../kernel/faults.ts';
import { valueOr } from '../../kernel/field-result.ts';
import type { Money } from '../../kernel/money.ts';
import type { ScopedLimits } from '../../kernel/spend-limits.ts';
import type { CallBudget } from '../../kernel/upstream-calls.ts';
import type { Claim, PurchaseKind, PurchaseRecord } from '../../persistence/store.ts';
import type { CallOptions } from '../../upstream/client/operation.ts';
import type { DomainApi } from '../../upstream/domain-api/domain-api.ts';
import type { UnnamedDetails } from '../../upstream/domain-api/shapes.ts';
import type { TenantDeps } from '../deps.ts';
import type { DomainReads } from '../domain/loader.ts';
import type { Loaders } from '../loaders.ts';
import { type Checks, createChecks } from '../mutation/checks.ts';
import {
  begun,
  conclude,
  isVisibleTo,
  openStates,
  purchaseFault,
  type SettleDeps,
} from '../purchase/conclude.ts';
import { bringsDomain, obstacleIn } from '../purchase/ownership.ts';
import { giveUp, settleByReading } from '../purchase/settle.ts';
import type { Quote } from '../quote/quote.ts';
import { checkBalance, checkPrice, isClear, type Priced, type PurchaseGuards } from './checks.ts';
import { checkKey, domainBusy, fingerprint, justBought, keyConflict } from './idempotency.ts';
import { type PurchasePayload, toPayload, toRefusedPayload } from './payload.ts';
import { assertMayBeSpent, checkCountedLimits, checkPurchaseLimits } from './spend-limits.ts';

export interface PurchaseFlowDeps extends SettleDeps, Pick<TenantDeps, 'domainApi' | 'randomness'> {
  readonly caller: Caller;
  readonly limits: ScopedLimits;
  /** Options of the purchase call. A disconnecting client does not cancel it. */
  readonly options: CallOptions & { readonly budget: CallBudget };
  /** Uncached reads, for the checks. */
  readonly reads: Loaders;
  /** Uncached reads that bypass the call budget, for a claimed purchase. */
  readonly domains: Pick<DomainReads, 'verify' | 'invalidate'>;
  /** Invalidates every cached read of the domain. */
  readonly invalidate: (name: DomainName) => void;
  /** The `Idempotency-Key` header; null without one. */
  readonly idempotencyKey: string | null;
}

/** The canonical input of any purchase. */
export interface PurchaseInput extends PurchaseGuards {
  /** Null, with the fault recorded, when the text is not a domain name. */
  readonly domain: DomainName | null;
  /** Years. */
  readonly period: number;
}

/** The parts of a purchase in which registrations and transfers differ. */
export interface PurchaseOperation<Input> {
  readonly kind: PurchaseKind;
  /** Makes the checks that need no upstream call. */
  prepare(checks: Checks, input: Input): PreparedPurchase;
}

interface PreparedPurchase {
  /** With each name in one spelling, for the fingerprint. */
  readonly input: PurchaseInput;
  /** The checks that read the upstream. */
  check(reads: Loaders, domain: DomainName): Promise<Priced>;
  /** The one upstream call that spends money; null when a check failed. */
  readonly send: SendPurchase | null;
}

type SendPurchase = (
  api: DomainApi,
  domain: DomainName,
  options: CallOptions,
) => Promise<PurchaseReply>;

/** The domain in an upstream's reply to a purchase; null when the reply has none. */
type PurchaseReply = Pick<UnnamedDetails, 'name' | 'status' | 'state'> | null;

/** The identity of a purchase, before its checks. */
interface Intent extends Pick<Claim, 'kind' | 'domain' | 'fingerprint'> {
  /** The client's idempotency key; the gateway generates one when it is null. */
  readonly key: string | null;
}

/** A checked purchase. */
interface Order extends Intent, Pick<Claim, 'period' | 'balanceAfter'> {
  readonly price: Money;
}

/**
 * One purchase from input to payload. Money is spent at most once.
 *
 * All checks that cost nothing precede the claim, and every failed check is reported. A disconnecting client cancels the
 * reads of the checks, and nothing from the claim on.
 */
export async function runPurchase<Input>(
  deps: PurchaseFlowDeps,
  { kind, prepare }: PurchaseOperation<Input>,
  rawInput: Input,
): Promise<PurchasePayload> {
  const checks = createChecks();
  const { input, check, send } = prepare(checks, rawInput);
  const { dryRun, period } = input;
  const facts: { quote: Quote | null; readonly dryRun: boolean } = { quote: null, dryRun };
  try {
    const intent = toIntent(deps, kind, input, checks);
    const { domain } = intent;

    const replayed = dryRun ? null : await replayEarlier(deps, intent);
    if (replayed) return toPayload(facts, { purchase: replayed, replayed: true });

    const priced = await check(deps.reads, domain);
    facts.quote = priced.quote;
    const { price, balanceAfter } = await checkMoney(deps, checks, { ...input, domain }, priced);
    if (checks.faults.length > 0) {
      // The obstacle may be this very purchase: sent by a duplicate request, and completed during the checks.
      const completed = dryRun ? null : await replayEarlier(deps, intent);
      if (completed) return toPayload(facts, { purchase: completed, replayed: true });
      checks.finish();
    }
    if (!send || !price) throw new Fault('PRICE_UNAVAILABLE');
    if (dryRun) return toPayload(facts, { balanceAfter });

    const claim = await claimPurchase(deps, { ...intent, period, price, balanceAfter });
    const { purchase: claimed } = claim;
    if (claim.outcome === 'replayed') {
      return toPayload(facts, { purchase: await replay(deps, claimed), replayed: true });
    }

    const obstacle = await reasonNotToSend(deps, claimed);
    if (obstacle) {
      return toPayload(facts, { purchase: await giveUp(deps, claimed, obstacle), balanceAfter });
    }

    const markedAtMs = deps.clock.monotonicMs();
    const sending = await markAsSending(deps, claimed);
    if (!sending) {
      // Another request gave the claim up, because this one took too long.
      const purchase = (await deps.journal.byId(deps.account, claimed.id)) ?? claimed;
      return toPayload(facts, { purchase, balanceAfter });
    }

    const fault = await sendPurchase(deps, send, sending, markedAtMs);
    deps.invalidate(domain);
    const purchase = await settleAttempt(deps, sending, fault);
    return toPayload(facts, { purchase, balanceAfter });
  } catch (error) {
    return toRefusedPayload(facts, kind, error);
  }
}

/** @throws Problems when the domain is not a name, with the fault of the key, if any. */
function toIntent(
  { idempotencyKey }: PurchaseFlowDeps,
  kind: PurchaseKind,
  input: PurchaseInput,
  checks: Checks,
): Intent {
  const key = checkKey(checks, input, idempotencyKey);
  const { domain } = input;
  if (domain === null) throw checks.problems();
  const { idempotencyKey: _key, dryRun: _dryRun, ...hashed } = input;
  return { kind, domain, key, fingerprint: fingerprint(kind, hashed) };
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
  const filter = { domain, kinds: [kind], states: openStates };
  const [open] = await journal.list(account, { filter, limit: 1 });
  if (open) throw domainBusy(open, caller);
  return null;
}

async function replay(deps: PurchaseFlowDeps, purchase: PurchaseRecord): Promise<PurchaseRecord> {
  if (!isVisibleTo(deps.caller, purchase)) throw keyConflict(purchase, deps.caller);
  return settleByReading(deps, purchase);
}

/**
 * The checks of price, balance and spend limits. They count the highest price of the quote, because the debit may be that
 * high. The price of a refused name or period is not checked.
 */
async function checkMoney(
  deps: PurchaseFlowDeps,
  checks: Checks,
  { domain, period, maxPrice }: PurchaseInput & { readonly domain: DomainName },
  { tld, quote }: Priced,
) {
  const isPriced = isClear(checks, 'domain', 'period');
  const price = isPriced ? checkPrice(checks, { domain, period, maxPrice }, quote) : null;
  const balanceAfter = await checkBalance(checks, deps.reads, price);
  checkPurchaseLimits(deps.limits, checks, { tld: tld?.name ?? null, period, price });
  await checkCountedLimits(deps, checks, price);
  return { price, balanceAfter };
}

/** @throws Fault or Problems when nothing was claimed: the journal failed, or a conflict, a stop or a limit refuses it. */
async function claimPurchase(deps: PurchaseFlowDeps, { key, ...order }: Order) {
  const { journal, clock, randomness, account, caller, limits } = deps;
  const by = { account, caller: caller.name, key: key ?? randomness.uuid() };
  const id = randomness.uuid();
  const claim = await journal.claim({ ...order, ...by, id, claimedAt: clock.now() }, limits);
  if (claim.outcome === 'key-conflict') throw keyConflict(claim.purchase, caller);
  if (claim.outcome === 'domain-busy') throw domainBusy(claim.purchase, caller);
  assertMayBeSpent(claim, order.price);
  return claim;
}

/** A name is not given back and bought again within this time: a read that misses it then is stale. */
const freshMs = 60 * 60_000;

/**
 * Why a claimed purchase must not be sent, or null. A domain that the account already has would later pass for bought. It is
 * read after the claim, when no other purchase of the domain can come in between.
 */
async function reasonNotToSend(
  { domains, journal, account, clock, caller }: PurchaseFlowDeps,
  { kind, domain }: PurchaseRecord,
): Promise<Fault | null> {
  domains.invalidate(domain);
  try {
    const details = await domains.verify(domain);
    const obstacle = obstacleIn(details, kind);
    if (obstacle) return new Fault(obstacle);
    const filter = { domain, states: ['SUCCEEDED'] } as const;
    const [bought] = await journal.list(account, { filter, limit: 1 });
    const isFresh =
      bought?.settledAt && clock.now().getTime() - bought.settledAt.getTime() < freshMs;
    return isFresh ? justBought(bought, caller) : null;
  } catch (error) {
    if (error instanceof Fault) return error.with({ executed: 'NO' });
    throw error;
  }
}

/** Null when the purchase is no longer claimed. */
function markAsSending(
  { journal, clock, quietWindowMs }: PurchaseFlowDeps,
  claimed: PurchaseRecord,
): Promise<PurchaseRecord | null> {
  const at = clock.now();
  const quietUntil = new Date(at.getTime() + quietWindowMs);
  return journal.move(claimed.id, ['CLAIMED'], { to: 'SENDING', at, quietUntil });
}

/**
 * Milliseconds from the mark SENDING to the call. A slower process sends nothing, because other processes count the quiet
 * window from that mark.
 */
const sendWithinMs = 2_000;

/**
 * Milliseconds from the mark SENDING until a read must show the outcome. The upstream's own quiet window starts when the
 * call has ended.
 */
export const quietAfterMarkMs = (writeDeadlineMs: number, quietWindowMs: number): number =>
  sendWithinMs + writeDeadlineMs + quietWindowMs;

const tooLate = new Fault('JOURNAL_UNAVAILABLE', {
  message: 'The journal took too long to write, so nothing was sent.',
});

/** The one attempt. Null when the upstream reports success. A bug of the gateway leaves the outcome unknown. */
async function sendPurchase(
  { domainApi, options, clock }: PurchaseFlowDeps,
  send: SendPurchase,
  sending: PurchaseRecord,
  markedAtMs: number,
): Promise<Fault | null> {
  if (clock.monotonicMs() - markedAtMs > sendWithinMs) return tooLate;
  try {
    return contradictionIn(await send(domainApi, sending.domain, options), sending);
  } catch (error) {
    return error instanceof Fault ? error : new Fault('INTERNAL', { executed: 'UNKNOWN' });
  }
}

/** Why a reply under `OK` is no success: it is about another domain, or shows a status that no such purchase brings. */
function contradictionIn(reply: PurchaseReply, { domain, kind }: PurchaseRecord): Fault | null {
  if (!reply) return null;
  const isOther = reply.name !== null && reply.name !== domain;
  const hasStatus = valueOr(reply.status, '') !== '';
  if (!isOther && (!hasStatus || bringsDomain(reply.state, kind))) return null;
  return new Fault('UPSTREAM_PROTOCOL', {
    message: isOther
      ? `The reply to the purchase of ${domain} is about another domain.`
      : `The reply to the purchase of ${domain} shows a status that is no success.`,
    executed: 'UNKNOWN',
  });
}

/** Records the outcome of the attempt. After a fault it is verified by reading the domain. */
async function settleAttempt(
  deps: PurchaseFlowDeps,
  sending: PurchaseRecord,
  fault: Fault | null,
): Promise<PurchaseRecord> {
  const at = deps.clock.now();
  if (!fault) {
    const isTransfer = sending.kind === 'TRANSFER';
    return conclude(deps, sending, isTransfer ? begun(deps, at) : { to: 'SUCCEEDED', at });
  }
  // A proxy may send the call twice, and the refusal may be of the second copy. Only a read can show the outcome.
  const to = wasNeverSent(fault) ? 'FAILED' : 'PENDING';
  const recorded = await conclude(deps, sending, { to, at, fault: purchaseFault(fault) });
  return settleByReading(deps, recorded);
}

/** Whether the call never left the gateway. A refusal by the upstream carries the upstream's code. */
const wasNeverSent = ({ executed, upstream }: Fault): boolean => executed === 'NO' && !upstream;
