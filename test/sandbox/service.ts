import { systemClock, systemRandomness } from '../../src/lib/system.ts';
import { parseDomainCall } from '../../src/sandbox/domain-api/parse-call.ts';
import { createService, type ServiceOptions } from '../../src/sandbox/service/service.ts';

/** When the clock of a test service stands still. */
export const startedAt = Date.parse('2026-03-01T12:00:00.000Z');

/** The state of a sandbox in memory, whose clock moves only by `advance`, and its Domain API without HTTP. */
export function createTestService(options: Partial<ServiceOptions> = {}) {
  const service = createService({
    file: ':memory:',
    clock: { ...systemClock, now: () => new Date(startedAt) },
    randomness: systemRandomness,
    domains: 60,
    ...options,
  });
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into bodies of any shape
  const act = (action: string, fields: object = {}, username = 'demo'): any => {
    const login = { username, password: `${username}-password` };
    service.settle();
    return parseDomainCall(service, 'POST', action, JSON.stringify({ ...login, ...fields })).run()
      .body;
  };
  return {
    service,
    act,
    /** The error code that an action answers with; null when it succeeds. */
    code: (action: string, fields: object = {}, username?: string): string | null =>
      act(action, fields, username).error?.Code ?? null,
    details: (domain: string, username?: string) => act('getdetails', { domain }, username).data,
    balance: (currency = 'USD', username = 'demo'): string =>
      act('resellerdetails', {}, username).balances.find(
        (one: { currency: string }) => one.currency === currency,
      ).balance,
    advance: (ms: number) => service.clock.advance(ms),
  };
}
