import { describe, expect, test } from 'vitest';
import { domainState } from '../../kernel/domain-state.ts';
import { Fault } from '../../kernel/faults.ts';
import { changesBetween, driftBetween } from './service.ts';

type View = Parameters<typeof changesBetween>[0];

const unreadable = new Fault('UPSTREAM_PROTOCOL');
const date = new Date('2027-01-31T12:00:00Z');
const later = (ms: number) => new Date(date.getTime() + ms);

/** A view of a domain. Its state follows from its status. */
function view(changes: Partial<View> = {}): View {
  const whole = {
    ...{ status: 'Active', registeredAt: date, expiresAt: date, transferLocked: true },
    ...{ privacyProtected: true, nameServers: ['ns1.a.net', 'ns2.a.net'] },
    ...changes,
  };
  const { status } = whole;
  return { ...whole, state: domainState(typeof status === 'string' ? status : '') };
}

/** The value of a field as clients see it. */
const shownIn = (of: View, field: string, text: string | null) =>
  text === null ? null : { text, [field]: of[field as keyof View] };

describe('a change is', () => {
  test.each<[string, Partial<View>, string | null, string | null]>([
    ['status', { status: 'active' }, 'Active', 'active'],
    ['registeredAt', { registeredAt: later(1) }, date.toISOString(), later(1).toISOString()],
    ['transferLocked', { transferLocked: false }, 'true', 'false'],
    ['privacyProtected', { privacyProtected: false }, 'true', 'false'],
    ['nameServers', { nameServers: ['ns3.a.net'] }, 'ns1.a.net ns2.a.net', 'ns3.a.net'],
  ])('each difference of %s', (field, changes, before, after) => {
    const was = shownIn(view(), field, before);
    const is = shownIn(view(changes), field, after);
    expect(changesBetween(view(), view(changes))).toEqual([{ field, before: was, after: is }]);
    expect(changesBetween(view(changes), view())).toEqual([{ field, before: is, after: was }]);
  });

  test.each<[string, Partial<View>]>([
    ['the order and the spelling of name servers', { nameServers: ['NS2.a.net', 'ns1.A.net'] }],
    ['a value that cannot be read', { status: unreadable, expiresAt: unreadable }],
    ['a value that a view does not have', { transferLocked: null, nameServers: null }],
    ['a date or name servers that a view does not have', { expiresAt: null, nameServers: [] }],
  ])('never %s', (_what, changes) => {
    expect(changesBetween(view(), view(changes))).toEqual([]);
    expect(changesBetween(view(changes), view())).toEqual([]);
  });
});

describe('a drift is', () => {
  test.each<[string, Partial<View>, string | null, string | null]>([
    [
      'registeredAt',
      { registeredAt: later(60_001) },
      date.toISOString(),
      later(60_001).toISOString(),
    ],
    ['expiresAt', { expiresAt: later(-60_001) }, date.toISOString(), later(-60_001).toISOString()],
    ['transferLocked', { transferLocked: false }, 'true', 'false'],
    ['nameServers', { nameServers: ['ns3.a.net'] }, 'ns1.a.net ns2.a.net', 'ns3.a.net'],
  ])('a difference of %s', (field, changes, account, registry) => {
    const before = shownIn(view(), field, account);
    const after = shownIn(view(changes), field, registry);
    expect(driftBetween(view(), view(changes))).toEqual([{ field, before, after }]);
  });

  test.each<[string, Partial<View>]>([
    ['a minute between two dates', { registeredAt: later(60_000), expiresAt: later(-60_000) }],
    [
      'the privacy protection, which the reply of a sync does not report',
      { privacyProtected: false },
    ],
    ['the order and the spelling of name servers', { nameServers: ['NS2.a.net', 'ns1.A.net'] }],
    ['a value that cannot be read', { status: unreadable, expiresAt: unreadable }],
    ['name servers that a view does not have', { nameServers: [] }],
  ])('never %s', (_what, changes) => {
    expect(driftBetween(view(), view(changes))).toEqual([]);
    expect(driftBetween(view(changes), view())).toEqual([]);
  });

  const empty = {
    ...{ status: null, registeredAt: null, expiresAt: null, transferLocked: null },
    nameServers: null,
  };

  test('nothing that the registry does not have', () => {
    expect(driftBetween(view(), view(empty))).toEqual([]);
    expect(driftBetween(view(empty), view(empty))).toEqual([]);
  });

  test('each date that only the registry has', () => {
    expect(driftBetween(view(empty), view())).toEqual(
      ['registeredAt', 'expiresAt'].map((field) => ({
        ...{ field, before: null, after: shownIn(view(), field, date.toISOString()) },
      })),
    );
  });
});

test.each([
  ['Active', 'ok', false],
  ['Active', 'clientTransferProhibited', false],
  ['Active', 'clientUpdateProhibited', true],
  ['Active', 'clientUpdateProhibited, clientDeleteProhibited', true],
  ['Active', 'clientTransferProhibited, clientDeleteProhibited', false],
  ['Active', 'serverUpdateProhibited', true],
  ['Active', 'pendingDelete', true],
  ['WaitingForIncomingTransfer', ' pendingTransfer ', false],
  ['WaitingForIncomingTransfer', 'clientHold, pendingTransfer', false],
  ['PendingHold', 'clientHold', false],
  ['PendingHold', 'pendingTransfer', true],
  ['Deleted', 'clientHold', true],
  ['SomethingElse', ' SOMETHINGelse', false],
  ['SomethingElse', 'AnotherThing', true],
  ['ModificationPending', 'clientHold', true],
])(
  'the status %s of the account and %s of the registry are drift: %s',
  (account, registry, isDrift) => {
    const drift = driftBetween(view({ status: account }), view({ status: registry }));

    const [before, after] = [account, registry].map((status) => ({ text: status, status }));
    expect(drift).toEqual(isDrift ? [{ field: 'status', before, after }] : []);
  },
);
