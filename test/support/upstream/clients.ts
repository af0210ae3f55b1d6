import { Fault } from '../../../src/kernel/faults.ts';
import { Secret } from '../../../src/kernel/secret.ts';
import { type Clock, createDeadline } from '../../../src/lib/clock.ts';
import { systemClock, systemRandomness } from '../../../src/lib/system.ts';
import { createAccountApi } from '../../../src/upstream/account-api/client.ts';
import type { CallOptions } from '../../../src/upstream/client/operation.ts';
import type { Transport, WireRequest } from '../../../src/upstream/client/transport.ts';
import { createDomainClient } from '../../../src/upstream/domain-api/client.ts';
import type { WireResponse } from '../../../src/upstream/wire/classify.ts';
import { requestOf } from './fixtures.ts';

export const username = 'reseller-acme';
export const password = 'p"ss/wörd 42';
export const token = 'tok-6f1d2c';

/** A clock that advances only by waits, which end immediately and are recorded. */
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
  headers: WireResponse['headers'] = {},
): WireResponse => ({
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
    queueBudgetMs: 2_000,
    ratePerSecond: 0,
  };
  const credentials = { username, password: new Secret(password) };
  const { actions: domainApi } = createDomainClient({ ...common, credentials: () => credentials });
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

/** Clients whose upstream returns the same reply each time, and the requests that they sent. */
export function answering(
  answer: WireResponse | (() => WireResponse),
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

/** The fault that a promise rejects with; any other outcome fails the test. */
export async function faultOf(promise: Promise<unknown>): Promise<Fault> {
  const outcome = await promise.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  );
  if ('error' in outcome && outcome.error instanceof Fault) return outcome.error;
  throw new Error(`expected a Fault, got ${JSON.stringify(outcome)}`, { cause: outcome });
}
