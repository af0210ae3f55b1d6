import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { a, rowOf, unreadable } from '../../../test/support/modules/event-rows.ts';
import type { DomainDetails } from '../../upstream/domain-api/shapes.ts';
import { differencesBetween, stateAfterWrite, stateOf, type WatchedState } from './compare.ts';

const expiryDays = [60, 30, 7, 1];
const start = new Date('2026-01-31T12:00:00Z');
/** `days` after the start, and some milliseconds. */
const day = (days: number, ms = 0) => new Date(start.getTime() + days * 86_400_000 + ms);

/** Compares rows of one domain one after the other, as the journal stores their states. */
function createDomain(limits: readonly number[] = expiryDays) {
  let before: WatchedState | null = null;
  return (changes: Partial<DomainDetails> | null, now = start) => {
    const after =
      changes && stateOf(rowOf(a, changes), before, { now, showsUntil: now, expiryDays: limits });
    const found = differencesBetween(before, after);
    before = after && JSON.parse(JSON.stringify(after));
    return found.map((one) => [one.type, one.before, one.after]);
  };
}

describe('a difference of', () => {
  test.each<[string, Partial<DomainDetails>, readonly (readonly (string | null)[])[]]>([
    ['no field', {}, []],
    ['the state', { status: 'clientHold', state: 'OTHER' }, [['STATE_CHANGED', 'ACTIVE', 'OTHER']]],
    [
      'the expiry date',
      { expiresAt: day(730) },
      [['EXPIRY_CHANGED', '2027-01-31T12:00:00.000Z', '2028-01-31T12:00:00.000Z']],
    ],
    ['an expiry date that the upstream does not send', { expiresAt: null }, []],
    [
      'the name servers',
      { nameServers: ['ns1.moved.net'] },
      [['NAME_SERVERS_CHANGED', 'ns1.example.net ns2.example.net', 'ns1.moved.net']],
    ],
    ['name servers that the upstream does not send', { nameServers: [] }, []],
    ['the order of name servers', { nameServers: ['ns2.example.net', 'ns1.example.net'] }, []],
    ['the transfer lock', { transferLocked: false }, [['TRANSFER_UNLOCKED', 'true', 'false']]],
    ['privacy', { privacyProtected: true }, [['PRIVACY_CHANGED', 'false', 'true']]],
    ['a field without events', { registeredAt: day(1), upstreamId: 7 }, []],
    [
      'all fields at once',
      {
        ...{ status: 'x', state: 'DELETED', expiresAt: day(3, -1), nameServers: ['z'] },
        ...{ transferLocked: false, privacyProtected: true },
      },
      [
        ['STATE_CHANGED', 'ACTIVE', 'DELETED'],
        ['EXPIRY_CHANGED', '2027-01-31T12:00:00.000Z', '2026-02-03T11:59:59.999Z'],
        ['NAME_SERVERS_CHANGED', 'ns1.example.net ns2.example.net', 'z'],
        ['TRANSFER_UNLOCKED', 'true', 'false'],
        ['PRIVACY_CHANGED', 'false', 'true'],
        ['EXPIRING', null, '7'],
      ],
    ],
  ])('%s', (_what, changes, expected) => {
    const compare = createDomain();
    compare({});

    expect(compare(changes)).toEqual(expected);
    expect(compare(changes)).toEqual([]);
  });
});

test('a new domain is an event with its state, and a removed one with its last state', () => {
  const compare = createDomain();

  expect(compare(null)).toEqual([]);
  expect(compare({ expiresAt: day(3) })).toEqual([['DOMAIN_ADDED', null, 'ACTIVE']]);
  expect(compare(null)).toEqual([['DOMAIN_REMOVED', 'ACTIVE', null]]);
  expect(compare(null)).toEqual([]);
  expect(compare({ expiresAt: day(-1) })).toEqual([['DOMAIN_ADDED', null, 'EXPIRED']]);
});

test('a row that may lack the last write of a field leaves this field as it was written', () => {
  const known = stateOf(rowOf(a), null, { now: start, showsUntil: start, expiryDays });
  const write = { field: 'transferLocked', value: 'false', at: day(1) } as const;
  const written = stateAfterWrite(known, write);
  const compare = (showsUntil: Date, now = day(2)) =>
    differencesBetween(
      written,
      stateOf(rowOf(a, { privacyProtected: true }), written, { now, showsUntil, expiryDays }),
    ).map(({ type }) => type);

  expect(compare(day(1, -1))).toEqual(['PRIVACY_CHANGED']);
  expect(compare(day(1))).toEqual(['TRANSFER_LOCKED', 'PRIVACY_CHANGED']);
  // A clock that was ahead by more than an hour dated the write.
  expect(compare(start, day(1, -3_600_000))).toEqual(['PRIVACY_CHANGED']);
  expect(compare(start, day(1, -3_600_001))).toEqual(['TRANSFER_LOCKED', 'PRIVACY_CHANGED']);
});

test('the time of each write remains with the state, and the same name servers in another order are no difference', () => {
  const time = { now: day(2), showsUntil: start, expiryDays };
  const known = stateOf(rowOf(a), null, time);
  const hosts = { field: 'nameServers', value: 'ns2.example.net ns1.example.net' } as const;
  const first = stateAfterWrite(known, { ...hosts, at: day(1) });
  const second = stateAfterWrite(first, { field: 'transferLocked', value: 'false', at: day(2) });

  expect(differencesBetween(known, first)).toEqual([]);
  expect(stateOf(rowOf(a, { nameServers: ['ns3.example.net'] }), second, time)).toEqual(second);
});

test('name servers that are stored in another spelling are no difference', () => {
  const stored = 'NS2.Example.net. ns1.example.net  ns1.EXAMPLE.net';
  const before = {
    ...stateOf(rowOf(a), null, { now: start, showsUntil: start, expiryDays }),
    nameServers: stored,
  };
  const after = stateOf(rowOf(a), before, { now: start, showsUntil: start, expiryDays });

  // The same text, so that nothing is written.
  expect(after).toEqual(before);
});

describe('a field that cannot be read', () => {
  test.each<[string, Partial<DomainDetails>, Partial<DomainDetails>, readonly unknown[]]>([
    [
      'state',
      { status: unreadable, state: 'UNKNOWN' },
      { status: 'deleted', state: 'DELETED' },
      ['STATE_CHANGED', 'ACTIVE', 'DELETED'],
    ],
    [
      'expiresAt',
      { expiresAt: unreadable },
      { expiresAt: day(730) },
      ['EXPIRY_CHANGED', '2027-01-31T12:00:00.000Z', '2028-01-31T12:00:00.000Z'],
    ],
    [
      'nameServers',
      { nameServers: unreadable },
      { nameServers: ['z'] },
      ['NAME_SERVERS_CHANGED', 'ns1.example.net ns2.example.net', 'z'],
    ],
    [
      'transferLocked',
      { transferLocked: unreadable },
      { transferLocked: false },
      ['TRANSFER_UNLOCKED', 'true', 'false'],
    ],
    [
      'privacyProtected',
      { privacyProtected: unreadable },
      { privacyProtected: true },
      ['PRIVACY_CHANGED', 'false', 'true'],
    ],
  ])(
    'is no event, and its next value is compared with the last one that was read: %s',
    { tags: ['E3'] },
    (_field, unread, changed, expected) => {
      const compare = createDomain();
      compare({});

      expect(compare(unread)).toEqual([]);
      expect(compare({})).toEqual([]);
      expect(compare(unread)).toEqual([]);
      expect(compare(unread)).toEqual([]);
      expect(compare(changed)).toEqual([expected]);
    },
  );

  test('or that the upstream does not send has its last value', () => {
    const compare = createDomain();
    compare({});

    expect(
      compare({ status: null, nameServers: null, transferLocked: null, privacyProtected: null }),
    ).toEqual([]);
    expect(compare({ transferLocked: false })).toEqual([['TRANSFER_UNLOCKED', 'true', 'false']]);
  });

  test('passes no limit a second time when it is read again', () => {
    const compare = createDomain();
    compare({});
    expect(compare({ expiresAt: day(20) })).toHaveLength(2);

    for (const expiresAt of [null, unreadable, day(20)]) {
      expect(compare({ expiresAt, nameServers: [] })).toEqual([]);
    }
  });

  test('since the domain is known is no event when it is first read, and its first change is one', () => {
    const compare = createDomain();
    const none = {
      ...{ status: unreadable, expiresAt: unreadable, nameServers: unreadable },
      ...{ transferLocked: unreadable, privacyProtected: unreadable },
    };

    expect(compare(none)).toEqual([['DOMAIN_ADDED', null, null]]);
    expect(compare(none)).toEqual([]);
    expect(compare({ expiresAt: day(3) })).toEqual([]);
    expect(compare({ expiresAt: day(3), transferLocked: false })).toEqual([
      ['TRANSFER_UNLOCKED', 'true', 'false'],
    ]);
    expect(compare({ ...none, transferLocked: false }, day(2.5))).toEqual([
      ['EXPIRING', null, '1'],
    ]);
  });

  test('and a domain without a known state that is removed is an event without a state', () => {
    const compare = createDomain();
    compare({ status: unreadable });

    expect(compare(null)).toEqual([['DOMAIN_REMOVED', null, null]]);
  });
});

describe('the time', () => {
  test('is enough for a domain to expire, also while its expiry date cannot be read', () => {
    const compare = createDomain([]);
    compare({ expiresAt: day(5) });

    expect(compare({ expiresAt: unreadable }, day(5, -1))).toEqual([]);
    expect(compare({ expiresAt: unreadable }, day(5))).toEqual([
      ['STATE_CHANGED', 'ACTIVE', 'EXPIRED'],
    ]);
    expect(compare({ expiresAt: day(5) }, day(6))).toEqual([]);
    expect(compare({ expiresAt: day(370) }, day(6))).toEqual([
      ['STATE_CHANGED', 'EXPIRED', 'ACTIVE'],
      ['EXPIRY_CHANGED', day(5).toISOString(), day(370).toISOString()],
    ]);
  });

  test('passes each limit once, to the millisecond, and none from the expiry on', () => {
    const compare = createDomain();
    const row = { expiresAt: day(90) };
    const at = (days: number, ms = 0) => compare(row, day(days, ms)).map(([, , limit]) => limit);
    at(0);

    expect([at(30, -1), at(30), at(30, 1), at(59)]).toEqual([[], ['60'], [], []]);
    expect([at(60), at(82)]).toEqual([['30'], []]);
    expect([at(83), at(89, -1), at(89), at(90, -1)]).toEqual([['7'], [], ['1'], []]);
    expect([at(90), at(91)]).toEqual([['EXPIRED'], []]);
  });

  test('passes only the lowest of several limits at once', () => {
    const compare = createDomain();
    compare({ expiresAt: day(90) });

    expect(compare({ expiresAt: day(90) }, day(84))).toEqual([['EXPIRING', null, '7']]);
  });

  test('passes no limit when the domain is first compared, or when it expires', () => {
    const compare = createDomain();

    expect(compare({ expiresAt: day(20) })).toEqual([['DOMAIN_ADDED', null, 'ACTIVE']]);
    expect(compare({ expiresAt: day(20) }, day(10))).toEqual([]);
    expect(compare({ expiresAt: day(20) }, day(20))).toEqual([
      ['STATE_CHANGED', 'ACTIVE', 'EXPIRED'],
    ]);
  });

  test('passes the limits again after a renewal', () => {
    const compare = createDomain();
    compare({ expiresAt: day(8) });
    const types = (days: number, expiresAt: Date) =>
      compare({ expiresAt }, day(days)).map(([type, , after]) => [type, after]);

    expect(types(2, day(8))).toEqual([['EXPIRING', '7']]);
    expect(types(2, day(373))).toEqual([['EXPIRY_CHANGED', day(373).toISOString()]]);
    expect(types(367, day(373))).toEqual([['EXPIRING', '7']]);
    expect(types(367, day(390))).toEqual([
      ['EXPIRY_CHANGED', day(390).toISOString()],
      ['EXPIRING', '30'],
    ]);
    expect(types(367, day(391))).toEqual([['EXPIRY_CHANGED', day(391).toISOString()]]);
  });

  test('passes no limit of a domain without an expiry date, or without limits', () => {
    const [never, unlimited] = [createDomain(), createDomain([])];
    never({ expiresAt: null });
    unlimited({ expiresAt: day(2) });

    expect(never({ expiresAt: null }, day(900))).toEqual([]);
    expect(unlimited({ expiresAt: day(2) }, day(1.5))).toEqual([]);
  });

  const hour = 1 / 24;
  test.each([
    ['a limit', [83, 83 - hour, 83]],
    ['the last limit', [83, 89, 89 - hour, 89]],
    ['the expiry', [83, 89, 90, 90 - hour, 90]],
  ])('that a clock sets back passes no limit again, and ends no expiry: %s', (_what, days) => {
    const compare = createDomain();
    const row = { expiresAt: day(90) };
    compare(row);
    const events = days.flatMap((one) => compare(row, day(one)).map(([, , after]) => after));

    expect(events).toEqual(['7', '1', 'EXPIRED'].slice(0, new Set(days).size - 1));
  });

  test('that a clock sets back by more than an hour decides again', () => {
    const compare = createDomain();
    const row = { expiresAt: day(90) };
    compare(row);
    const types = (days: number, ms = 0) => compare(row, day(days, ms)).map(([, , after]) => after);
    types(89.5);
    types(90);

    expect([types(90 - hour, -1), types(89 - hour, -1), types(89)]).toEqual([
      ['ACTIVE'],
      ['7'],
      ['1'],
    ]);
  });

  test('decides whether a domain has expired when its new date is read before its state', () => {
    const compare = createDomain();
    compare({ expiresAt: day(8) }, day(9));
    compare({ expiresAt: day(400), status: unreadable }, day(9));

    expect(compare({ expiresAt: day(400) }, day(9))).toEqual([
      ['STATE_CHANGED', 'EXPIRED', 'ACTIVE'],
    ]);
  });

  test('passes no limit that is added above one that was passed', () => {
    const row = rowOf(a, { expiresAt: day(20) });
    const before = stateOf(row, null, { now: day(15), showsUntil: start, expiryDays: [7] });
    const after = stateOf(row, before, { now: day(16), showsUntil: start, expiryDays: [30] });

    expect(differencesBetween(before, after)).toEqual([]);
  });
});

test('the events of a field are a chain from its first value to its last one, also when some cannot be read', {
  tags: ['E3'],
}, () => {
  const value = <T>(...values: T[]) =>
    fc.constantFrom<T | typeof unreadable>(unreadable, ...values);
  const rows = fc.array(
    fc.record({
      expiresAt: value<Date | null>(null, day(10), day(400)),
      nameServers: value<readonly string[]>([], ['x'], ['x', 'y']),
      transferLocked: value(true, false),
      privacyProtected: value(true, false),
    }),
    { minLength: 1, maxLength: 12 },
  );
  const fields = {
    expiresAt: 'EXPIRY_CHANGED',
    nameServers: 'NAME_SERVERS_CHANGED',
    transferLocked: 'TRANSFER_LOCK',
    privacyProtected: 'PRIVACY_CHANGED',
  } as const;
  const textOf = (one: unknown) =>
    one instanceof Date ? one.toISOString() : Array.isArray(one) ? one.join(' ') : one && `${one}`;

  fc.assert(
    fc.property(rows, (list) => {
      const compare = createDomain();
      const found = list
        .flatMap((row) => compare(row as Partial<DomainDetails>))
        .map(([type, before, after]) => {
          if (!type?.startsWith('TRANSFER')) return [type, before, after];
          expect(type).toBe(after === 'true' ? 'TRANSFER_LOCKED' : 'TRANSFER_UNLOCKED');
          return ['TRANSFER_LOCK', before, after];
        });
      for (const [field, type] of Object.entries(fields)) {
        const read = list
          .map((row) => row[field as keyof typeof fields])
          .filter((one) => one !== unreadable && one !== null)
          .map((one) => (one === false ? 'false' : textOf(one)))
          .filter((one, at, all) => one !== '' || all.slice(0, at).every((other) => other === ''));
        const steps = read
          .map((after, at) => [type, read[at - 1], after])
          .filter(([, before, after], at) => at > 0 && before !== after);
        expect(found.filter(([one]) => one === type)).toEqual(steps);
      }
    }),
  );
});

test('the time at which an expiry date was found changes with the date only', () => {
  let before: WatchedState | null = null;
  const sinceAt = (at: Date, expiresAt: Date | null) => {
    const facts = { now: at, showsUntil: at, expiryDays };
    before = stateOf(rowOf(a, { expiresAt, transferLocked: at > day(1) }), before, facts);
    return before.expirySince;
  };

  expect(sinceAt(day(0), day(400))).toBe(day(0).toISOString());
  expect(sinceAt(day(2), day(400))).toBe(day(0).toISOString());
  expect(sinceAt(day(3), day(765))).toBe(day(3).toISOString());
  expect(sinceAt(day(4), null)).toBe(day(3).toISOString());
  expect(sinceAt(day(5), day(765))).toBe(day(3).toISOString());
});
