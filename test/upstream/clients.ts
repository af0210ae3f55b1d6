import type { Clock } from '../../src/kernel/clock.ts';
import { createDeadline } from '../../src/kernel/deadline.ts';
import { Fault } from '../../src/kernel/faults.ts';
import { Secret } from '../../src/kernel/secret.ts';
import { systemClock, systemRandomness } from '../../src/kernel/system.ts';
import { createAccountApi } from '../../src/upstream/account-api/client.ts';
import { createDomainApi } from '../../src/upstream/domain-api/client.ts';
import type { CallOptions } from '../../src/upstream/operation.ts';
import type { Transport, WireReply, WireRequest } from '../../src/upstream/transport.ts';
import { requestOf } from './fixtures.ts';

export const username = 'reseller-acme';
export const password = 'p"ss/wörd 42';
export const token = 'tok-6f1d2c';

/** Time that stands still but for the waits, which end at once and are written down. */
export function stillClock() {
  const waits: number[] = [];
  let nowMs = 0;
  const clock: Clock = {
    now: () => new Date('2026-01-31T12:00:00Z'),
    monotonicMs: () => nowMs,
    async wait(ms) {
      waits.push(ms);
      nowMs += ms;
    },
    deadline: (_ms, abort) => createDeadline(() => () => undefined, abort),
  };
  return { clock, waits, passMs: (ms: number) => (nowMs += ms) };
}

export const reply = (
  body: string,
  status = 200,
  headers: WireReply['headers'] = {},
): WireReply => ({
  status,
  headers,
  body,
});

/** Both clients over one transport. */
export function clientsOver(
  transport: Transport,
  options: { timeoutMs?: number; clock?: Clock; maxInFlight?: number } = {},
) {
  const common = {
    transport,
    timeoutMs: options.timeoutMs ?? 1_000,
    clock: options.clock ?? systemClock,
    randomness: { ...systemRandomness, fraction: () => 0.5 },
    maxInFlight: options.maxInFlight ?? 16,
  };
  const credentials = { username, password: new Secret(password) };
  const { api: domainApi } = createDomainApi({ ...common, credentials: () => credentials });
  const { api: accountApi } = createAccountApi(common);
  return {
    domainApi,
    accountApi,
    /** Calls an action by name with its fixture, or with another request. */
    domain: (
      action: string,
      options: CallOptions = {},
      request: object = requestOf(action),
    ): Promise<unknown> =>
      (domainApi as unknown as Record<string, AnyCall>)[action]?.(request, options) ??
      Promise.reject(new Error(`no action ${action}`)),
    account: (name: string, request: object = requestOf(name)): Promise<unknown> =>
      (accountApi as unknown as Record<string, AnyCall>)[name]?.(request, {
        token: new Secret(token),
      }) ?? Promise.reject(new Error(`no call ${name}`)),
  };
}

type AnyCall = (request: object, options: object) => Promise<unknown>;

/** Clients whose upstream answers the same each time, and a record of what was sent. */
export function answering(
  answer: WireReply | (() => WireReply),
  clock: Clock = stillClock().clock,
) {
  const sent: WireRequest[] = [];
  const clients = clientsOver(
    async (request) => {
      sent.push(request);
      return typeof answer === 'function' ? answer() : answer;
    },
    { clock },
  );
  return { ...clients, sent };
}

/** The fault of a promise; anything else that it does fails the test. */
export async function faultOf(promise: Promise<unknown>): Promise<Fault> {
  const outcome = await promise.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  );
  if ('error' in outcome && outcome.error instanceof Fault) return outcome.error;
  throw new Error(`expected a Fault, got ${JSON.stringify(outcome)}`, { cause: outcome });
}
