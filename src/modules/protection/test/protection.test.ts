import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { startTestGateway } from '../../../../test/support/gateway.ts';
import { mutate, rowOf } from '../../../../test/graph/writes/mutate.ts';
import { startRecordedGateway } from '../../../../test/graph/writes/recorded-gateway.ts';

const gateway = await startTestGateway({ sandboxDomains: 60 });
const recorded = await startRecordedGateway();
afterAll(() => Promise.all([gateway.close(), recorded.close()]));
beforeEach(() => gateway.resetCalls());

describe('the transfer lock', () => {
  const unlock = (domain: string, fields = 'transferLocked') =>
    mutate(gateway, 'disableTransferLock', { domain }, fields);

  test('can be removed twice without an error', async () => {
    await unlock('lowercase-demo.org');

    expect(await unlock('lowercase-demo.org')).toEqual({ transferLocked: false, errors: [] });
    expect(await gateway.countCalls()).toEqual({ disabletheftlock: 2 });
  });

  test('of a domain in redemption remains, and the error has the status and does not advise to unlock', {
    tags: ['G16'],
  }, async () => {
    const domain = 'redemption-demo.com';
    const { errors } = await unlock(
      domain,
      'errors { ... on DomainLocked { status upstreamMessage } }',
    );

    expect(errors).toEqual([
      {
        ...{ __typename: 'DomainLocked', code: 'LOCKED', status: 'PendingDelete' },
        path: ['input', 'domain'],
        message: `The status of ${domain} is PendingDelete, which does not allow this change.`,
        upstreamMessage: 'Object status prohibits operation; PendingDelete',
        ...{ executed: 'NO', retryable: false },
      },
    ]);
    expect(await gateway.countCalls()).toEqual({ disabletheftlock: 1, getdetails: 1 });
  });
});

describe('privacy protection', () => {
  const protect = (input: object, fields = 'privacyProtected') =>
    mutate(gateway, 'setPrivacyProtection', input, fields);

  test.each([true, false, false, true, true])(
    'is set to %s in payload, sandbox and payload domain, whatever the shape of the reply',
    async (privacyProtected) => {
      const fields = 'privacyProtected domain { privacyProtected }';
      const it = await protect({ domain: 'unlocked-demo.com', privacyProtected }, fields);

      const flag = { privacyProtected };
      expect(it).toEqual({ ...flag, domain: flag, errors: [] });
      expect(await rowOf(gateway, 'unlocked-demo.com')).toMatchObject({
        privacy: privacyProtected,
      });
      expect(await gateway.countCalls()).toEqual({ modifyprivacystatus: 1, getdetails: 1 });
    },
  );

  test('of a domain in redemption cannot be changed', async () => {
    const it = await protect({ domain: 'redemption-demo.com', privacyProtected: true });

    expect(it).toMatchObject({
      ...{ privacyProtected: null, errors: [{ code: 'LOCKED', executed: 'NO' }] },
    });
  });
});

describe('the upstream receives', () => {
  const domain = 'unlocked-demo.com';

  test.each([
    [
      'setPrivacyProtection',
      { domain, privacyProtected: true, reason: 'asked by the owner' },
      'modifyprivacystatus',
      { domain, status: true, reason: 'asked by the owner' },
    ],
    [
      'setPrivacyProtection',
      { domain, privacyProtected: true, reason: null },
      'modifyprivacystatus',
      { domain, status: true },
    ],
    [
      'setPrivacyProtection',
      { domain, privacyProtected: true },
      'modifyprivacystatus',
      { domain, status: true },
    ],
    ['disableTransferLock', { domain }, 'disabletheftlock', { domain }],
  ])('for %s with %j one %s with %j', async (name, input, action, fields) => {
    recorded.seen.length = 0;
    await mutate(recorded.gateway, name, input);

    const sent = recorded.seen.map(({ path, body }) => ({ path, ...JSON.parse(body) }));
    const login = { username: expect.any(String), password: expect.any(String) };
    expect(sent).toEqual([{ path: `/domain-api/?action=${action}`, ...login, ...fields }]);
  });
});
