import { afterAll, expect, test } from 'vitest';
import { memorable } from '../../../sandbox/service/seed-domains.ts';
import { startTestGateway } from '../../support/gateway.ts';
import { read } from './reads.ts';

const gateway = await startTestGateway({ sandboxDomains: 150 });
afterAll(() => gateway.close());

/** The state of a domain for each status of the upstream. */
const states: Readonly<Record<string, string>> = {
  Active: 'ACTIVE',
  active: 'ACTIVE',
  WaitingForRegistration: 'PENDING_REGISTRATION',
  WaitingForDocument: 'PENDING_REGISTRATION',
  ConfirmationEmailSend: 'PENDING_REGISTRATION',
  PreRegistiration: 'PENDING_REGISTRATION',
  PendingHold: 'PENDING_REGISTRATION',
  WaitingForIncomingTransfer: 'PENDING_TRANSFER_IN',
  WaitingForOutgoingTransfer: 'PENDING_TRANSFER_OUT',
  TransferredOut: 'TRANSFERRED_OUT',
  TransferRejectedFromOpposed: 'TRANSFER_FAILED',
  TransferCancelledFromClient: 'TRANSFER_FAILED',
  PendingDelete: 'REDEMPTION',
  PendingRestore: 'REDEMPTION',
  Deleted: 'DELETED',
  ModificationPending: 'OTHER',
  ModificationFailed: 'OTHER',
  MigrationPending: 'OTHER',
  SynchronizationBlocked: 'OTHER',
  TimeOut: 'OTHER',
  InCase: 'OTHER',
  PreRegistirationFail: 'OTHER',
  None: 'OTHER',
  SomethingNobodyHasSeen: 'UNKNOWN',
};

/** States that an expired registration has no longer. */
const expiring = ['ACTIVE', 'PENDING_REGISTRATION', 'OTHER'];

test.each(
  Object.entries(memorable).map(([name, { status = 'Active', expiresInDays = 365 }]) => {
    const state = states[status] ?? '';
    const isExpired = expiresInDays < 0 && expiring.includes(state);
    return [name, status, isExpired ? 'EXPIRED' : state];
  }),
)('%s with the raw status %s is %s', { tags: ['G11'] }, async (name = '', status, state) => {
  const { domain } = await read(gateway, `{ domain(name: "${name}") { status state } }`);

  expect(domain).toEqual({ status, state });
});

const own = (name: string, fields: string) =>
  read(gateway, `{ domain(name: ${JSON.stringify(name)}) { ${fields} } }`).then((it) => it.domain);

test('upstream times without a zone are UTC, with milliseconds', { tags: ['G9'] }, async () => {
  const name = 'private-demo.net';
  const rows = await gateway.admin('GET', `/domain?name=${name}`);
  const [{ startAt, expiresAt }] = rows as [{ startAt: number; expiresAt: number }];

  expect(await own(name, 'registeredAt expiresAt remainingDays')).toEqual({
    registeredAt: new Date(startAt).toISOString(),
    expiresAt: new Date(expiresAt).toISOString(),
    remainingDays: 365,
  });
});

test('an expired domain has 0 remaining days', async () => {
  const { expiresAt, remainingDays } = await own('grace-demo.com', 'expiresAt remainingDays');

  expect(new Date(expiresAt).getTime()).toBeLessThan(Date.now());
  expect(remainingDays).toBe(0);
});

test.each([
  'bücher-demo.de',
  'BÜCHER-demo.DE.',
  ' xn--BCHER-demo-9db.de ',
  'bu\u0308cher-demo。de',
])(
  '%j finds the domain, which has its A-label and its Unicode name',
  { tags: ['G3'] },
  async (spelling) => {
    expect(await own(spelling, 'name unicodeName lookalike')).toEqual({
      name: 'xn--bcher-demo-9db.de',
      unicodeName: 'bücher-demo.de',
      lookalike: false,
    });
  },
);

test('the auth code is complete and stable', async () => {
  const { authCode } = await own('private-demo.net', 'authCode');

  expect(authCode).toHaveLength(16);
  expect(authCode).toMatch(/^[\x21-\x7e]+$/);
  expect(await own('private-demo.net', 'authCode')).toEqual({ authCode });
});

test('additional data is a list of pairs, empty when there is none', async () => {
  const fields = 'additional { key value }';

  expect(await own('private-demo.net', fields)).toEqual({ additional: [] });
  expect(await own('additional-demo.com.tr', fields)).toEqual({
    additional: [
      { key: 'TrabisDomainCategory', value: '0' },
      { key: 'TrabisCitizenId', value: '10000000146' },
    ],
  });
});

test('child name servers have their addresses, or an empty list', async () => {
  const fields = 'isChildNameServer childNameServers { name addresses } nameServers';

  expect(await own('reseller-demo.com', fields)).toEqual({
    isChildNameServer: true,
    childNameServers: [
      { name: 'ns1.reseller-demo.com', addresses: ['192.5.6.30'] },
      { name: 'ns2.reseller-demo.com', addresses: ['2001:503:a83e::2:30'] },
    ],
    nameServers: ['ns1.reseller-demo.com', 'ns2.reseller-demo.com'],
  });
  expect(await own('no-address-demo.com', fields)).toMatchObject({
    childNameServers: [{ name: 'ns1.no-address-demo.com', addresses: [] }],
  });
  expect(await own('hostless-demo.com', fields)).toEqual({
    isChildNameServer: false,
    childNameServers: [],
    nameServers: [],
  });
});

test('flags and numbers equal those of the account', async () => {
  const fields = 'upstreamId transferLocked privacyProtected';
  const rows = await gateway.admin('GET', '/domain?name=private-demo.net');

  expect(await own('private-demo.net', fields)).toEqual({
    upstreamId: (rows as [{ id: number }])[0].id,
    transferLocked: true,
    privacyProtected: true,
  });
  expect(await own('unlocked-demo.com', fields)).toMatchObject({
    transferLocked: false,
    privacyProtected: false,
  });
});
