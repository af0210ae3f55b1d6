import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { startTestGateway } from '../../support/gateway.ts';
import { mutate, rowOf } from './mutate.ts';
import { startRecordedGateway } from './recorded-gateway.ts';

const gateway = await startTestGateway({ sandboxDomains: 60 });
afterAll(() => gateway.close());
beforeEach(() => gateway.resetCalls());

describe('the transfer lock', () => {
  const unlock = (domain: string, fields = 'transferLocked') =>
    mutate(gateway, 'disableTransferLock', { domain }, fields);

  test('is off in the payload, in the sandbox and in the payload domain, for one call each', async () => {
    expect(await rowOf(gateway, 'expiring-demo.com')).toMatchObject({ locked: true });

    const it = await unlock('expiring-demo.com', 'transferLocked domain { transferLocked }');

    expect(it).toEqual({ transferLocked: false, domain: { transferLocked: false }, errors: [] });
    expect(await rowOf(gateway, 'expiring-demo.com')).toMatchObject({ locked: false });
    expect(await gateway.countCalls()).toEqual({ disabletheftlock: 1, getdetails: 1 });
  });

  test('can be removed twice without an error', async () => {
    await unlock('lowercase-demo.org');

    expect(await unlock('lowercase-demo.org')).toEqual({ transferLocked: false, errors: [] });
    expect(await gateway.countCalls()).toEqual({ disabletheftlock: 2 });
  });

  const path = ['input', 'domain'];

  test('of a domain that is not in the account is NOT_FOUND', async () => {
    const it = await unlock('others-locked-demo.com', 'transferLocked domain { name }');

    expect(it).toMatchObject({ transferLocked: null, domain: null });
    expect(it.errors).toMatchObject([
      { __typename: 'NotFound', message: 'The account has no such domain.', path, executed: 'NO' },
    ]);
    expect(await gateway.countCalls()).toEqual({ disabletheftlock: 1 });
  });

  test('of a domain in redemption remains, and the error has the status and does not advise to unlock', {
    tags: ['G16'],
  }, async () => {
    const { errors } = await unlock(
      'redemption-demo.com',
      'errors { ... on DomainLocked { status upstreamMessage } }',
    );

    expect(errors).toEqual([
      {
        __typename: 'DomainLocked',
        code: 'LOCKED',
        message:
          'The status of redemption-demo.com is PendingDelete, which does not allow this change.',
        status: 'PendingDelete',
        upstreamMessage: 'Object status prohibits operation; PendingDelete',
        path,
        executed: 'NO',
        retryable: false,
      },
    ]);
    expect(await gateway.countCalls()).toEqual({ disabletheftlock: 1, getdetails: 1 });
  });

  test('of another account remains', async () => {
    await unlock('others-locked-demo.com');

    expect(await gateway.admin('GET', '/domain?name=others-locked-demo.com')).toMatchObject([
      { locked: true },
    ]);
  });
});

describe('privacy protection', () => {
  const protect = (input: object, fields = 'privacyProtected') =>
    mutate(gateway, 'setPrivacyProtection', input, fields);

  test.each([true, false, false, true, true])(
    'is set to %s in payload, sandbox and payload domain, whatever the shape of the reply',
    async (enabled) => {
      const fields = 'privacyProtected domain { privacyProtected }';
      const it = await protect({ domain: 'unlocked-demo.com', enabled }, fields);

      expect(it).toEqual({
        privacyProtected: enabled,
        domain: { privacyProtected: enabled },
        errors: [],
      });
      expect(await rowOf(gateway, 'unlocked-demo.com')).toMatchObject({ privacy: enabled });
      expect(await gateway.countCalls()).toEqual({ modifyprivacystatus: 1, getdetails: 1 });
    },
  );

  test.each([
    ['others-demo.com', 'NOT_FOUND'],
    ['redemption-demo.com', 'LOCKED'],
  ])('of %s cannot be changed: %s', async (domain, code) => {
    const it = await protect({ domain, enabled: true });

    expect(it).toMatchObject({ privacyProtected: null, errors: [{ code, executed: 'NO' }] });
  });
});

describe('the upstream receives', () => {
  const sentFor = async (name: string, input: object) => {
    const recorded = await startRecordedGateway();
    await mutate(recorded.gateway, name, input);
    await recorded.close();
    return recorded.seen.map(({ path, body }) => {
      const { username: _, password: __, ...fields } = JSON.parse(body);
      return { path, fields };
    });
  };
  const domain = 'unlocked-demo.com';

  test.each([
    [{ domain, enabled: true, reason: 'asked by the owner' }, { reason: 'asked by the owner' }],
    [{ domain, enabled: true, reason: null }, {}],
    [{ domain, enabled: true }, {}],
  ])('for %j a boolean, and the reason if there is one', async (input, reason) => {
    expect(await sentFor('setPrivacyProtection', input)).toEqual([
      {
        path: '/domain-api/?action=modifyprivacystatus',
        fields: { domain, status: true, ...reason },
      },
    ]);
  });

  test('for disableTransferLock the name only', async () => {
    expect(await sentFor('disableTransferLock', { domain })).toEqual([
      { path: '/domain-api/?action=disabletheftlock', fields: { domain } },
    ]);
  });
});
