import { Fault } from '../../src/kernel/faults.ts';
import type { Transport } from '../../src/upstream/client/transport.ts';
import type { WireResponse } from '../../src/upstream/wire/classify.ts';
import type { History } from './history.ts';
import type { Process } from './process.ts';
import { refusal, type Service, type ServiceReply } from './service.ts';
import type { World } from './world.ts';

/** The course of a call: when the service receives it, if ever, and the reply. */
interface Journey {
  /** Delays until the service executes it, in milliseconds; two for a duplicated request. */
  readonly arrivals: readonly number[];
  /** The later reply to the caller about the domain of its call; absent for none. */
  readonly answer?: (reply: ServiceReply | null, domain: unknown) => ServiceReply | Fault;
  /** The staleness of a read. */
  readonly staleMs?: number;
  /** Every read shows after this time what the call did, also a stale one. */
  readonly shownWithinMs?: number | null;
  /** From the call to the reply, for a reply that does not wait for the service. */
  readonly answerAfterMs?: number;
}

export interface NetworkTimes {
  /** The deadline of a write. */
  readonly writeDeadlineMs: number;
  /** The longest time after the deadline at which the service still executes a call. */
  readonly lateMs: number;
  /** The maximum staleness of a read. Together with `lateMs` at most the quiet window. */
  readonly staleMs: number;
  /** The same of a list, which decides nothing about a purchase. */
  readonly listStaleMs: number;
}

const whole = (reply: ServiceReply | null) => reply ?? refusal(2400, 'Command failed');
const broken = () => new Fault('UPSTREAM_UNAVAILABLE', { executed: 'UNKNOWN' });
const brokenInside = () => new Fault('UPSTREAM_PROTOCOL', { executed: 'UNKNOWN', retryable: true });
const page = () => ({ status: 502, body: '<html><h1>502 Bad Gateway</h1></html>' });
const unlisted = () => refusal('STRANGE', 'Something new');
const htmlBefore = (reply: ServiceReply | null) => {
  const { status, body } = whole(reply);
  return { status, body: `<br /><b>Warning</b>: mysql_query()<br />${body}` };
};
const success = (data: object) => ({ status: 200, body: JSON.stringify({ result: 'OK', data }) });
const cutOff = (reply: ServiceReply | null) => {
  const { status, body } = whole(reply);
  return { status, body: body.slice(0, Math.floor(body.length / 2)) };
};

type Roads = Readonly<Record<string, (world: World, times: NetworkTimes) => Journey>>;

/** The gateway reads twice, five seconds apart, after a refusal with an unlisted code. */
const maxHiddenMs = 4_900;

/** A time up to a bound, and often close to it, where bugs are likely. */
const mostly = ({ random }: World, most: number) =>
  random.chance(0.6) ? random.between(0.95 * most, most) : random.between(0, most);
const soon = (world: World) => world.random.between(5, 400);
const nothing = (answer: Journey['answer']) => (world: World) => ({
  arrivals: [],
  answerAfterMs: soon(world),
  ...(answer && { answer }),
});
const done = (answer?: Journey['answer']) => (world: World) => ({
  arrivals: [soon(world)],
  ...(answer && { answer }),
});

/** The possible courses of a purchase call, and of a call that changes a setting. */
const writeRoads = {
  ok: done(whole),
  refused: nothing(() => new Fault('UPSTREAM_UNAVAILABLE', { executed: 'NO' })),
  reset: nothing(broken),
  lostAnswer: done(broken),
  late: (world, { writeDeadlineMs, lateMs }) => ({
    arrivals: [mostly(world, writeDeadlineMs + lateMs)],
    answer: broken,
    answerAfterMs: soon(world),
  }),
  neverAnswered: (world, { writeDeadlineMs, lateMs }) => ({
    arrivals: [mostly(world, writeDeadlineMs + lateMs)],
  }),
  swallowed: nothing(undefined),
  cut: done(cutOff),
  brokenInside: done(brokenInside),
  htmlBefore: done(htmlBefore),
  empty: done(() => ({ status: 200, body: '' })),
  pageBefore: nothing(page),
  pageAfter: done(page),
  unlistedBefore: nothing(unlisted),
  // The second copy of the call is refused with an unlisted code, and not every read shows at once what the first one did.
  unlistedAfter: (world) => ({
    arrivals: [soon(world)],
    shownWithinMs: mostly(world, maxHiddenMs),
    answer: unlisted,
  }),
  failedAfter: done(() => refusal(2400, 'Command failed')),
  refusalUnder500: done(() => refusal(2306, 'Policy', 500)),
  busy: nothing(() => ({ status: 429, body: '' })),
  definiteRefusal: nothing(() => refusal(2306, 'Parameter value policy error')),
  // The second copy of the call is refused, because the first one took the balance.
  refusedAfter: (world) => ({
    arrivals: [soon(world)],
    shownWithinMs: 0,
    answer: () => refusal(350, 'Insufficient balance'),
  }),
  otherDomain: nothing(() => success({ DomainName: 'other-kestrel.com', Status: 'Active' })),
  failedStatus: nothing((_reply, DomainName) => success({ DomainName, Status: 'Failed' })),
  oddName: nothing(() => success({ DomainName: 7, Status: 'Active' })),
  oddData: nothing(() => success(['Active'])),
  twice: (world) => ({ arrivals: [soon(world), soon(world)], answer: whole }),
} satisfies Roads;

/** The possible courses of a read. */
const readRoads = {
  ok: done(whole),
  stale: (world, { staleMs }) => ({
    arrivals: [soon(world)],
    answer: whole,
    staleMs: mostly(world, staleMs),
  }),
  slow: (world) => ({ arrivals: [world.random.between(400, 4_000)], answer: whole }),
  reset: nothing(broken),
  silent: nothing(undefined),
  page: nothing(page),
  cut: done(cutOff),
  htmlBefore: done(htmlBefore),
  unlisted: nothing(unlisted),
} satisfies Roads;

export type WriteRoad = keyof typeof writeRoads;
export type ReadRoad = keyof typeof readRoads;

export interface Roadmap {
  readonly writes: Readonly<Partial<Record<WriteRoad, number>>>;
  /** For name servers and privacy protection. */
  readonly settings: Readonly<Partial<Record<WriteRoad, number>>>;
  /** For `getdetails`, which determines the outcome of a purchase. */
  readonly reads: Readonly<Partial<Record<ReadRoad, number>>>;
  /** For the checks before a purchase, and for `getdomainlist`. */
  readonly checks: Readonly<Partial<Record<ReadRoad, number>>>;
}

/** For the Account API, where the status 400 is a definite refusal. */
const accountRoads: Readonly<Partial<Record<WriteRoad, number>>> = {
  ok: 4,
  refused: 1,
  reset: 1,
  lostAnswer: 2,
  late: 2,
  neverAnswered: 1,
  swallowed: 1,
  cut: 1,
  empty: 1,
  pageBefore: 1,
  pageAfter: 1,
};

const spends: ReadonlySet<string> = new Set(['registerdomain', 'transferdomain']);
const sets: ReadonlySet<string> = new Set([
  'modifynameserver',
  'modifyprivacystatus',
  'disabletheftlock',
]);

/** Replaces undici with the same contract, and makes each call go one of the roads. */
export function createNetwork(
  {
    world,
    service,
    history,
    times,
  }: { world: World; service: Service; history: History; times: NetworkTimes },
  roadmap: () => Roadmap,
  process: () => Process,
): Transport {
  return async ({ method, path, headers, body = '{}', stop, signal, reader }) => {
    if (stop.aborted) throw new Fault('UPSTREAM_TIMEOUT', { executed: 'NO' });
    const isAccount = !path.startsWith('/?action=');
    const action = isAccount ? `${method} ${path}` : path.slice('/?action='.length);
    const fields: Record<string, unknown> = JSON.parse(body);
    const self = process();
    const step = { what: `call ${action}`, point: `send ${action}` };
    await self.outside({ ...step, side: 'before' });

    const isSetting = sets.has(action);
    const isWrite = isAccount || isSetting || spends.has(action);
    const causeOfWrite = () => {
      if (isAccount) return history.sentWith(String(headers.authorization));
      if (action === 'disabletheftlock') history.approvals?.sentUnlock();
      if (isSetting && history.portfolio) return history.portfolio.sent(action, fields);
      if (isSetting) return history.changes.sent(self.owner.name, fields);
      return history.sent(self.owner.name, action, fields);
    };
    const cause = isWrite ? causeOfWrite() : '';
    const { writes, settings, reads, checks } = roadmap();
    const roadsOfWrite = () => {
      if (isAccount) return accountRoads;
      return isSetting ? settings : writes;
    };
    const roads = isWrite ? roadsOfWrite() : action === 'getdetails' ? reads : checks;
    const name = world.random.weighted<WriteRoad | ReadRoad>(roads);
    const staleMs = action === 'getdomainlist' ? times.listStaleMs : times.staleMs;
    const journey = isWrite
      ? writeRoads[name as WriteRoad](world, times)
      : readRoads[name as ReadRoad](world, { ...times, staleMs });
    history.count(`${isSetting ? 'setting' : isWrite ? 'write' : 'read'} ${name}`);
    if (action === 'getdetails') history.changes.read(self.owner.name, String(fields.domain));
    if (isSetting) {
      const hasLeft = name !== 'refused';
      history.changes.goes(self.owner.name, cause, {
        hasLeft,
        arrives: journey.arrivals.length > 0,
      });
    }
    world.trace(`${self.owner.name} ${action} ${String(fields.domain ?? '')} goes ${name}`);

    const reply = travel(journey, { world, service, history, self }, { action, fields, cause });
    await self.outside({ ...step, side: 'after' });
    const response = await untilAborted(reply, stop, signal);
    await self.outside({ ...step, side: 'reply' });
    if (!reader) return response;
    await reader.take(Buffer.from(response.body));
    return { ...response, ...(await reader.end()) };
  };
}

interface CallContext {
  readonly world: World;
  readonly service: Service;
  readonly history: History;
  readonly self: Process;
}

/** Delivers the request independently of its sender; the reply needs the sender. */
function travel(
  { arrivals, answer, answerAfterMs, staleMs = 0, shownWithinMs = null }: Journey,
  { world, service, history, self }: CallContext,
  call: { action: string; fields: Record<string, unknown>; cause: string },
): Promise<WireResponse> {
  return new Promise((resolve, reject) => {
    const hand = (reply: ServiceReply | null) => {
      const result = answer?.(reply, call.fields.domain);
      if (result instanceof Fault) reject(result);
      else if (result) resolve({ ...result, headers: {} });
    };
    let left = arrivals.length;
    for (const delayMs of arrivals) {
      history.pendingRequests += 1;
      world.after(delayMs, null, () => {
        history.pendingRequests -= 1;
        left -= 1;
        const reply = service.handle({ ...call, staleMs, shownWithinMs });
        if (left === 0 && answerAfterMs === undefined) {
          world.after(soon(world), self.owner, () => hand(reply));
        }
      });
    }
    if (answerAfterMs !== undefined) world.after(answerAfterMs, self.owner, () => hand(null));
  });
}

function untilAborted(
  reply: Promise<WireResponse>,
  stop: AbortSignal,
  signal: AbortSignal | undefined,
): Promise<WireResponse> {
  return new Promise((resolve, reject) => {
    reply.then(resolve, reject);
    const leave = () =>
      reject(
        signal?.aborted ? signal.reason : new Fault('UPSTREAM_TIMEOUT', { executed: 'UNKNOWN' }),
      );
    if (stop.aborted) leave();
    stop.addEventListener('abort', leave, { once: true });
  });
}
