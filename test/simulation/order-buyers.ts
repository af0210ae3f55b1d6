import { money } from '../../src/kernel/money.ts';
import { orderView } from '../../src/features/order/order.ts';
import { orders } from '../../src/features/order/parts.ts';
import type { PlaceOrderInput } from '../../src/features/order/place-order.ts';
import type { OrderPayload } from '../../src/features/order/service.ts';
import { ada } from '../support/ada.ts';
import type { Process, RunContext } from './process.ts';
import { authCode } from './service.ts';

export interface RequestedLine {
  readonly kind: 'REGISTRATION' | 'TRANSFER';
  readonly domain: string;
  readonly period: number;
  /** USD; absent for any price and any cost. */
  readonly maxPrice?: string;
  readonly maxCost?: string;
}

/** The facts of a requested order that distinguish it from others. */
export interface RequestedOrder {
  readonly key: string;
  readonly lines: readonly RequestedLine[];
  readonly onFailure: 'CONTINUE' | 'STOP';
  /** USD; null for any total. */
  readonly maxTotal: string | null;
  readonly maxTotalCost?: string;
  /** Of an order that is paid before its lines are sent. */
  readonly expiresAfter?: string;
}

/** A client that places an order, repeats the request until it is answered, and follows the order to its end. */
export interface OrderBuyer extends RequestedOrder {
  /** The name of the API key; null without one. */
  readonly caller: string | null;
  readonly startsAfterMs: number;
  readonly hangsUpAfterMs: number | null;
  /** Whether it subscribes to the progress. */
  readonly follows: boolean;
  /** From the placement; null for a client that does not cancel. */
  readonly cancelsAfterMs: number | null;
}

const maxAttempts = 40;
/** Longer than any order takes, with the longest pauses. */
const maxLooks = 120;

/** Places an order, repeats the request with the same key after each broken connection, and reads until the order ended. */
export async function order(
  buyer: OrderBuyer,
  around: RunContext,
  choose: () => Process | undefined,
): Promise<void> {
  const { world, history } = around;
  const later = (from: number, to: number) => world.pass(world.random.between(from, to));
  await world.pass(buyer.startsAfterMs);
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    const process = choose();
    const before = history.orders.before(buyer);
    const payload = process && (await placeOnce(buyer, around, process));
    if (!payload || payload === 'lost') {
      await later(50, 8_000);
      continue;
    }
    history.orders.checkPayload(buyer, before, payload);
    if (!payload.order) {
      // Refused as a whole. Some clients try once more.
      if (attempt > 2 || world.random.chance(0.5)) return;
      await later(500, 20_000);
      continue;
    }
    await followToEnd(payload.order.job.id, buyer, { around, choose });
    if (world.random.chance(0.5)) return;
    await later(50, 30_000);
  }
}

export interface Reach {
  readonly around: RunContext;
  readonly choose: () => Process | undefined;
}

async function followToEnd(id: string, buyer: OrderBuyer, reach: Reach): Promise<void> {
  const { world } = reach.around;
  const cancelAtMs =
    buyer.cancelsAfterMs === null ? Infinity : world.nowMs() + buyer.cancelsAfterMs;
  let hasCancelled = false;
  for (let look = 0; look < maxLooks; look += 1) {
    const isDue = !hasCancelled && world.nowMs() >= cancelAtMs;
    const process = reach.choose();
    if (process) {
      if (isDue) hasCancelled = await cancelOnce(id, reach, process);
      else if (buyer.follows) await followOnce(id, reach, process);
      if (await readOnce(id, buyer, reach, process)) return;
    }
    await world.pass(world.random.between(500, 5_000 + look * 500));
  }
}

export const unheard = { signal: new AbortController().signal, caller: null };

/** Runs a request. Returns null when the process was killed or the request failed. */
export async function request<Result>(
  { around: { history } }: Pick<Reach, 'around'>,
  process: Process,
  run: () => Promise<Result>,
): Promise<Result | null> {
  try {
    const got = await Promise.race([run(), process.killed]);
    return got === 'killed' ? null : got;
  } catch (error) {
    history.failed(error);
    return null;
  }
}

const allLines = { first: 500 };

/** Returns whether the order has ended. */
async function readOnce(
  id: string,
  { key }: RequestedOrder,
  reach: Reach,
  process: Process,
): Promise<boolean> {
  const { world, history } = reach.around;
  const floor = history.orders.succeeded(id);
  const service = process.request(unheard).use(orders);
  const found = await request(reach, process, async () => {
    const read = await (world.random.chance(0.5) ? service.byId(id) : service.find({ key }));
    const progress = read && (await service.progressOf(read));
    return { read, progress, lines: read && (await service.lines(read, allLines)) };
  });
  if (!found) return false;
  const { read, progress, lines } = found;
  if (!read || !progress || !lines || read.job.id !== id) {
    world.violate('O7', `${id} is gone from the journal, or has another key`);
    return true;
  }
  history.orders.reported(id, progress, { floor, lines });
  return orderView.jobState(progress) !== 'RUNNING';
}

/** Returns whether the request was answered. */
async function cancelOnce(id: string, reach: Reach, process: Process): Promise<boolean> {
  const { history } = reach.around;
  const floor = history.orders.succeeded(id);
  const service = process.request(unheard).use(orders);
  const payload = await request(reach, process, async () => {
    const { order: ended } = await service.cancel({ id });
    const progress = ended ? await service.progressOf(ended) : null;
    return { progress, lines: ended ? await service.lines(ended, allLines) : [] };
  });
  if (!payload) return false;
  const { progress, lines } = payload;
  history.count('orders cancelled');
  if (progress) history.orders.reported(id, progress, { floor, lines });
  return true;
}

/** Follows the progress to the end of the stream, for some time, or until the process is killed. */
async function followOnce(id: string, reach: Reach, process: Process): Promise<void> {
  const { world, history } = reach.around;
  const untilMs = world.nowMs() + world.random.between(5_000, 120_000);
  await request(reach, process, async () => {
    let floor = history.orders.succeeded(id);
    const service = process.request(unheard).use(orders);
    for await (const { job } of await service.progress(id)) {
      history.count('progress');
      const progress = await service.progressOf(job);
      history.orders.reported(id, progress, { floor, lines: [] });
      floor = progress.SUCCEEDED;
      if (world.nowMs() > untilMs) return;
    }
  });
}

async function placeOnce(
  buyer: OrderBuyer,
  { world, history }: RunContext,
  process: Process,
): Promise<OrderPayload | 'lost'> {
  const connection = new AbortController();
  if (buyer.hangsUpAfterMs !== null)
    world.after(buyer.hangsUpAfterMs, null, () => connection.abort(new Error('hung up')));
  world.trace(`${process.owner.name} receives an order under ${buyer.key}`);
  const by = { signal: connection.signal, caller: buyer.caller };
  try {
    const got = await Promise.race([
      process.request(by).use(orders).place(inputOf(buyer)),
      process.killed,
    ]);
    return got === 'killed' ? 'lost' : got;
  } catch (error) {
    if (error instanceof Error && error.message === 'hung up') return 'lost';
    history.failed(error);
    return 'lost';
  }
}

const usd = (amount: string | null | undefined) => (amount ? money(amount, 'USD') : null);
const onlyUsd = (amount: string | null | undefined) => (amount ? [money(amount, 'USD')] : null);

const inputOf = ({
  key,
  lines,
  onFailure,
  maxTotal,
  maxTotalCost,
  expiresAfter,
}: RequestedOrder): PlaceOrderInput => ({
  idempotencyKey: key,
  payment: expiresAfter === undefined ? null : { expiresAfter },
  onFailure,
  maxTotal: onlyUsd(maxTotal),
  maxTotalCost: onlyUsd(maxTotalCost),
  defaults: {
    nameServers: ['ns1.example.net'],
    registrant: { fields: ada },
    contact: { fields: ada },
    privacyProtected: false,
    transferLocked: true,
  },
  lines: lines.map(({ kind, domain, period, ...limits }) => {
    const line = { domain, period, maxPrice: usd(limits.maxPrice), maxCost: usd(limits.maxCost) };
    return kind === 'REGISTRATION'
      ? { registration: { ...line, acceptPremium: false } }
      : { transfer: { ...line, authCode } };
  }),
});
