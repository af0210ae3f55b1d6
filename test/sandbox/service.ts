import { afterEach, beforeEach } from 'vitest';
import { parseDomainCall } from '../../sandbox/domain-api/parse-call.ts';
import { createService, type Service, type ServiceOptions } from '../../sandbox/service/service.ts';
import type { NewDomain } from '../../sandbox/service/store.ts';
import { dayMs } from '../../src/kernel/instant.ts';
import { systemClock, systemRandomness } from '../../src/lib/system.ts';
import { order } from './client.ts';

/** The time of a test service at its start. */
export const startedAt = Date.parse('2026-03-01T12:00:00.000Z');

const open = (options: Partial<ServiceOptions>) =>
  createService({
    file: ':memory:',
    clock: { ...systemClock, now: () => new Date(startedAt) },
    randomness: systemRandomness,
    domains: 60,
    ...options,
  });

/** The state of a sandbox in memory, whose clock moves only by `advance` and `setTime`, and its Domain API without HTTP. */
export function createTestService(options: Partial<ServiceOptions> = {}) {
  const service = open(options);
  return clientOf(() => service);
}

/** A new service for each test of the file. */
export function useTestService(options: Partial<ServiceOptions> = {}) {
  let service: Service;
  beforeEach(() => {
    service = open(options);
  });
  afterEach(() => service.close());
  return clientOf(() => service);
}

function clientOf(current: () => Service) {
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into bodies of any shape
  const act = (action: string, fields: object = {}, username = 'demo'): any => {
    const service = current();
    const login = { username, password: `${username}-password` };
    service.settle();
    return parseDomainCall(service, 'POST', action, JSON.stringify({ ...login, ...fields })).run()
      .body;
  };
  /** The error code that an action answers with; null when it succeeds. */
  const code = (action: string, fields: object = {}, username?: string): string | null =>
    act(action, fields, username).error?.Code ?? null;

  return {
    get service() {
      return current();
    },
    act,
    code,
    /** Registers a domain, and returns the error code. */
    register: (domain: string, changes: object = {}, username?: string) =>
      code('registerdomain', order(domain, changes), username),
    details: (domain: string, username?: string) => act('getdetails', { domain }, username).data,
    balance: (currency = 'USD', username = 'demo'): string =>
      act('resellerdetails', {}, username).balances.find(
        (one: { currency: string }) => one.currency === currency,
      ).balance,
    ledger: (reseller = 1) => current().store.money.purchases(reseller),
    /** Changes all records of a domain. */
    change(domain: string, changes: Partial<NewDomain>): void {
      const { domains } = current().store;
      for (const record of domains.everywhere(domain)) domains.save({ ...record, ...changes });
    },
    advance: (ms: number) => current().clock.advance(ms),
    advanceDays: (days: number) => current().clock.advance(days * dayMs),
    setTime: (ms: number) => current().clock.set(new Date(ms)),
  };
}
