import { parseDomainName } from '../../src/kernel/domain-name.ts';
import { money } from '../../src/kernel/money.ts';
import type { PurchasePayload } from '../../src/modules/purchase/payload.ts';
import { purchases } from '../../src/modules/purchase/service.ts';
import { ada } from '../support/ada.ts';
import type { RequestedPurchase } from './history.ts';
import { type Reach, request } from './order-buyers.ts';
import { maxAges, type Process, type RunContext } from './process.ts';
import { authCode } from './service.ts';

/** A buyer, who repeats its requests until the outcome is known. */
export interface Buyer extends RequestedPurchase {
  /** The name of the API key; null without one. */
  readonly caller: string | null;
  readonly startsAfterMs: number;
  /** The maximum price; null for any price. */
  readonly maxPrice: string | null;
  readonly hangsUpAfterMs: number | null;
  /** When it cancels a purchase that waits for an approval, from the response on. By default never. */
  readonly cancelsAfterMs?: number;
}

const nameServers = [parseDomainName('ns1.example.net')];
const ended: ReadonlySet<string> = new Set(['SUCCEEDED', 'FAILED', 'UNKNOWN']);
const maxAttempts = 60;

/** Buys, repeats the request with the same key after each broken connection, and reads until the purchase has ended. */
export async function buy(
  buyer: Buyer,
  around: RunContext,
  choose: () => Process | undefined,
): Promise<void> {
  const { world, history } = around;
  const later = (from: number, to: number) => world.pass(world.random.between(from, to));
  await world.pass(buyer.startsAfterMs);
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    const process = choose();
    const before = history.before(buyer);
    const payload = process && (await buyOnce(buyer, around, process));
    if (!payload || payload === 'lost') {
      await later(50, 8_000);
      continue;
    }
    history.checkPayload(buyer, before, payload);
    if (!payload.purchase) {
      // Refused without a call. Some buyers try once more.
      if (attempt > 2 || world.random.chance(0.6)) return;
      await later(500, 20_000);
      continue;
    }
    const { id, state } = payload.purchase;
    if (state === 'HELD') void cancel(id, buyer, { around, choose });
    if (!ended.has(state) && !(await readUntilOver(id, around, choose))) return;
    if (buyer.key === null || world.random.chance(0.5)) return;
    await later(50, 30_000);
  }
}

/** The additional time per name of a bulk check. */
const perNameMs = 1_000;

/** Checks names. A result may come from the cache or from an earlier call that is shared. */
export async function browse(
  names: readonly string[],
  { world, history, timings }: RunContext,
  choose: () => Process | undefined,
): Promise<void> {
  const process = choose();
  const requestedAtMs = world.nowMs();
  const free = await Promise.race([process?.available(names), process?.killed]);
  if (!Array.isArray(free)) return;
  // A shared call may have waited for the end of a pause.
  const pausedMs = process?.owner.pausedMs ?? 0;
  const maxCallMs = timings.timeoutMs + names.length * perNameMs + pausedMs;
  const begunMs = Math.max(maxAges.availabilityMs, maxCallMs) + world.nowMs() - requestedAtMs;
  for (const name of free) history.offered(name, begunMs);
}

/** Deletes the logs of an account, which no call can read. */
export async function deleteLogs(
  token: string,
  { history }: RunContext,
  choose: () => Process | undefined,
): Promise<void> {
  const process = choose();
  const payload = await Promise.race([process?.deleteLogs(token), process?.killed]);
  if (payload && payload !== 'killed') history.deleted(token, payload);
}

async function readUntilOver(
  id: string,
  { world, history }: RunContext,
  choose: () => Process | undefined,
): Promise<boolean> {
  const isImpatient = world.random.chance(0.3);
  for (let look = 0; look < maxAttempts; look += 1) {
    await world.pass(world.random.between(500, (isImpatient ? 3_000 : 15_000) + look * 1_000));
    const process = choose();
    if (!process) continue;
    try {
      const read = await Promise.race([process.byId(id), process.killed]);
      if (read === 'killed') continue;
      if (read === null) world.violate('I5', `${id} is gone from the journal`);
      else history.reported(read);
      if (read === null || ended.has(read.state)) return true;
    } catch (error) {
      history.failed(error);
    }
  }
  return false;
}

/** Cancels a purchase, and repeats the request after each broken connection. */
async function cancel(
  id: string,
  { caller, cancelsAfterMs }: Buyer,
  { around, choose }: Reach,
): Promise<void> {
  if (cancelsAfterMs === undefined) return;
  const { world, history } = around;
  await world.pass(cancelsAfterMs);
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    const process = choose();
    const by = { signal: new AbortController().signal, caller };
    const payload =
      process &&
      (await request({ around }, process, () => process.request(by).use(purchases).cancel({ id })));
    if (payload) {
      history.approvals?.cancelled(id, payload);
      if (payload.purchase) history.reported(payload.purchase);
      if (payload.errors[0]?.code !== 'JOURNAL_UNAVAILABLE') return;
    }
    await world.pass(world.random.between(50, 8_000));
  }
}

async function buyOnce(
  { kind, domain, period, key, caller, maxPrice, hangsUpAfterMs, firstName }: Buyer,
  { world, history }: RunContext,
  process: Process,
): Promise<PurchasePayload | 'lost'> {
  const line = new AbortController();
  if (hangsUpAfterMs !== null)
    world.after(hangsUpAfterMs, null, () => line.abort(new Error('hung up')));
  const order = {
    domain: parseDomainName(domain),
    period,
    maxPrice: maxPrice === null ? null : money(maxPrice, 'USD'),
    idempotencyKey: key,
    dryRun: false,
  };
  world.trace(`${process.owner.name} receives ${kind} ${domain} under ${key}`);
  const payload =
    kind === 'REGISTRATION'
      ? process.register(
          {
            ...order,
            nameServers,
            registrant: { fields: firstName ? { ...ada, firstName } : ada },
            contact: { fields: ada },
            privacyProtected: false,
            transferLocked: true,
            acceptPremium: false,
          },
          { signal: line.signal, caller },
        )
      : process.transfer({ ...order, authCode }, { signal: line.signal, caller });
  try {
    const got = await Promise.race([payload, process.killed]);
    return got === 'killed' ? 'lost' : got;
  } catch (error) {
    if (error instanceof Error && error.message === 'hung up') return 'lost';
    history.failed(error);
    return 'lost';
  }
}
