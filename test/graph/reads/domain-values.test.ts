import { afterAll, describe, expect, test } from 'vitest';
import { memorable } from '../../../sandbox/service/seed.ts';
import { dayMs } from '../../../src/kernel/instant.ts';
import { systemClock } from '../../../src/lib/system.ts';
import { startTestGateway } from '../../support/gateway.ts';
import { read } from './reads.ts';

const gateway = await startTestGateway({ sandboxDomains: 150 });
afterAll(() => gateway.close());

const own = async (name: string, fields: string) =>
  (await read(gateway, `{ domain(name: ${JSON.stringify(name)}) { ${fields} } }`)).domain;
/** The record of a domain in the sandbox. */
const recordOf = async (name: string) => {
  const [record] = (await gateway.admin('GET', `/domain?name=${name}`)) as readonly [
    { readonly id: number; readonly startAt: number; readonly expiresAt: number },
  ];
  return record;
};

describe('the state of a domain', () => {
  /** The statuses of the upstream for each state of a domain. */
  const statuses = {
    ACTIVE: ['Active', 'active'],
    PENDING_REGISTRATION: [
      ...['WaitingForRegistration', 'WaitingForDocument', 'ConfirmationEmailSend'],
      ...['PreRegistiration', 'PendingHold'],
    ],
    PENDING_TRANSFER_IN: ['WaitingForIncomingTransfer'],
    PENDING_TRANSFER_OUT: ['WaitingForOutgoingTransfer'],
    TRANSFERRED_OUT: ['TransferredOut'],
    TRANSFER_FAILED: ['TransferRejectedFromOpposed', 'TransferCancelledFromClient'],
    REDEMPTION: ['PendingDelete', 'PendingRestore'],
    DELETED: ['Deleted'],
    OTHER: [
      ...['ModificationPending', 'ModificationFailed', 'MigrationPending', 'TimeOut', 'InCase'],
      ...['SynchronizationBlocked', 'PreRegistirationFail', 'None'],
    ],
    UNKNOWN: ['SomethingNobodyHasSeen'],
  };
  /** States that an expired registration has no longer. */
  const expiring = ['ACTIVE', 'PENDING_REGISTRATION', 'OTHER'];

  test.each(
    Object.entries(memorable).map(([name, { status = 'Active', expiresInDays = 365 }]) => {
      const [state] = Object.entries(statuses).find(([, all]) => all.includes(status)) ?? [''];
      const isExpired = expiresInDays < 0 && expiring.includes(state);
      return [name, status, isExpired ? 'EXPIRED' : state] as const;
    }),
  )('%s with the raw status %s is %s', { tags: ['G11'] }, async (name, status, state) => {
    expect(await own(name, 'status state')).toEqual({ status, state });
  });

  test('in a cached list is EXPIRED from the moment of its expiry', async () => {
    let aheadMs = 0;
    const now = () => new Date(systemClock.now().getTime() + aheadMs);
    const cached = await startTestGateway({
      ...{ sandboxDomains: 60, clock: { ...systemClock, now } },
      // One list serves the whole test: time passes over cached rows.
      env: { DOMAIN_MAX_AGE_SECONDS: '3600' },
    });
    const send = async () => {
      const { active, expired, stats } = await read(
        cached,
        `{
          active: domains(first: 100, filter: { states: [ACTIVE] }) { nodes { name state expiresAt } }
          expired: domains(first: 100, filter: { states: [EXPIRED] }) { nodes { name state } }
          stats: domainStats { byState { state count } }
        }`,
      );
      for (const [wanted, { nodes }] of Object.entries({ ACTIVE: active, EXPIRED: expired })) {
        const counts = stats.byState.filter(({ state }: { state: string }) => state === wanted);
        expect(counts).toEqual([{ state: wanted, count: nodes.length }]);
        for (const { state } of nodes) expect(state).toBe(wanted);
      }
      return { active: active.nodes, expired: expired.nodes };
    };

    const before = await send();
    await cached.resetCalls();
    aheadMs = 60 * dayMs;
    const after = await send();
    const calls = await cached.upstreamCalls();
    await cached.close();

    const due = before.active.filter(
      ({ expiresAt }: { expiresAt: string }) => new Date(expiresAt) <= now(),
    );
    expect(due.length).toBeGreaterThan(0);
    expect(after.active).toHaveLength(before.active.length - due.length);
    expect(after.expired.length).toBeGreaterThanOrEqual(before.expired.length + due.length);
    expect(calls).toEqual([]);
  });
});

test('upstream times without a zone are UTC, with milliseconds', { tags: ['G9'] }, async () => {
  const { startAt, expiresAt } = await recordOf('private-demo.net');

  expect(await own('private-demo.net', 'registeredAt expiresAt remainingDays')).toEqual({
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
  ...['bücher-demo.de', 'BÜCHER-demo.DE.', ' xn--BCHER-demo-9db.de ', 'bu\u0308cher-demo。de'],
])(
  '%j finds the domain, which has its A-label and its Unicode name',
  {
    tags: ['G3'],
  },
  async (spelling) => {
    expect(await own(spelling, 'name unicodeName lookalike')).toEqual({
      ...{ name: 'xn--bcher-demo-9db.de', unicodeName: 'bücher-demo.de', lookalike: false },
    });
  },
);

test('the auth code is complete and stable', async () => {
  const { authCode } = await own('private-demo.net', 'authCode');

  expect(authCode).toMatch(/^[\x21-\x7e]{16}$/);
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
    ...{ isChildNameServer: false, childNameServers: [], nameServers: [] },
  });
});

test('flags and numbers equal those of the account', async () => {
  const { id } = await recordOf('private-demo.net');
  const fields = 'upstreamId transferLocked privacyProtected';

  expect(await own('private-demo.net', fields)).toEqual({
    ...{ upstreamId: id, transferLocked: true, privacyProtected: true },
  });
  expect(await own('unlocked-demo.com', fields)).toMatchObject({
    ...{ transferLocked: false, privacyProtected: false },
  });
});

describe('a contact', () => {
  const contactsOf = async (name: string, fields: Readonly<Record<string, string>>) => {
    const selection = Object.entries(fields).map(([role, of]) => `${role} { ${of} }`);
    return (await own(name, `contacts { ${selection.join(' ')} }`)).contacts;
  };

  test('has every value of the upstream, and null for an empty value', async () => {
    const { registrant } = await contactsOf('private-demo.net', {
      registrant: `firstName lastName company email phone { countryCode number e164 } fax { number }
        address { line1 line2 line3 city state zipCode country }
        status authCode additional { key value }`,
    });

    expect(registrant).toEqual({
      ...{ firstName: 'Ada', lastName: 'Sample', company: 'Sample Works Ltd' },
      email: 'ada@sample-works.example',
      phone: { countryCode: '44', number: '2079460101', e164: '+442079460101' },
      fax: null,
      address: {
        ...{ line1: '1 Example Street', line2: 'Floor 2', line3: null },
        ...{ city: 'London', state: null, zipCode: 'EC1A 1ZZ', country: 'GB' },
      },
      ...{ status: null, authCode: null, additional: [] },
    });
  });

  test('in several roles has one upstreamId, and an id and a type for each role', async () => {
    const fields = 'id upstreamId role type';
    const all = await contactsOf('private-demo.net', {
      ...{ registrant: fields, administrative: fields, technical: fields, billing: fields },
    });

    const contact = { id: expect.stringMatching(/^[\w-]+$/), upstreamId: expect.any(Number) };
    expect(all).toEqual({
      registrant: { ...contact, role: 'REGISTRANT', type: 'EuContact' },
      administrative: { ...contact, role: 'ADMINISTRATIVE', type: 'Contact' },
      technical: { ...contact, role: 'TECHNICAL', type: 'CoopContact' },
      billing: { ...contact, role: 'BILLING', type: 'UkContact' },
    });
    const ids = Object.values<{ id: string }>(all).map(({ id }) => id);
    expect(new Set(ids).size).toBe(4);
    expect(all.administrative.upstreamId).toBe(all.registrant.upstreamId);
    expect(all.billing.upstreamId).not.toBe(all.registrant.upstreamId);
  });

  test('has its country unchanged when the upstream spells it out', async () => {
    const fields = 'address { country }';
    const all = { registrant: fields, billing: fields };

    expect(await contactsOf('country-name-demo.co.uk', all)).toEqual({
      registrant: { address: { country: 'United Kingdom' } },
      billing: { address: { country: 'DE' } },
    });
  });
});
