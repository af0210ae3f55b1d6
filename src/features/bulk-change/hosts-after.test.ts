import { array, assert, constantFrom, oneof, property, record, subarray } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { canonicalHosts, parseDomainName } from '../../kernel/domain-name.ts';
import { Fault } from '../../kernel/faults.ts';
import { type HostDifference, hostsAfter } from './hosts-after.ts';

const host = (text: string) => parseDomainName(text);
const replace = (from: string, to: string): HostDifference => ({
  replaceNameServer: { from: host(from), to: host(to) },
});
const add = (text: string): HostDifference => ({ addNameServer: host(text) });
const remove = (text: string): HostDifference => ({ removeNameServer: host(text) });
const hosts = (count: number) => Array.from({ length: count }, (_, at) => `ns${at}.a.net`);

describe('the name servers after', () => {
  test.each([
    [
      'a replacement, in its place',
      replace('B.net', 'x.net.'),
      'a.net b.net c.net',
      'a.net x.net c.net',
    ],
    [
      'a replacement of a host that is absent',
      replace('x.net', 'y.net'),
      'a.net b.net',
      'a.net b.net',
    ],
    [
      'a replacement by a host that is present',
      replace('a.net', 'c.net'),
      'a.net b.net c.net',
      'b.net c.net',
    ],
    [
      'a replacement of a host by the same host',
      replace('a.net', 'A.net'),
      'a.net b.net',
      'a.net b.net',
    ],
    ['a replacement of the only host', replace('a.net', 'b.net'), 'a.net', 'b.net'],
    [
      'a replacement of a Unicode host',
      replace('ns.bücher.de', 'b.net'),
      'ns.xn--bcher-kva.de',
      'b.net',
    ],
    ['an addition, behind the others', add('C.net'), 'b.net a.net', 'b.net a.net c.net'],
    ['an addition of a host that is present', add('a.net.'), 'b.net a.net', 'b.net a.net'],
    [
      'an addition of the 13th host',
      add('x.net'),
      hosts(12).join(' '),
      `${hosts(12).join(' ')} x.net`,
    ],
    ['an addition of one of 14 hosts', add('ns3.a.net'), hosts(14).join(' '), hosts(14).join(' ')],
    ['a removal', remove('A.NET'), 'c.net a.net b.net', 'c.net b.net'],
    ['a removal of a host that is absent', remove('x.net'), 'a.net', 'a.net'],
    [
      'a removal of one of 14 hosts',
      remove('ns0.a.net'),
      hosts(14).join(' '),
      hosts(14).slice(1).join(' '),
    ],
  ] as const)('%s', (_what, change, before, after) => {
    const split = (text: string) => text.split(' ').filter(Boolean);

    expect(hostsAfter(change, canonicalHosts(split(before)))).toEqual(split(after));
  });

  test('a replacement by the only other host is refused', () => {
    expect(() => hostsAfter(replace('a.net', 'b.net'), ['a.net', 'b.net'])).toThrow(
      expect.objectContaining({
        code: 'NOT_ELIGIBLE',
        facts: { minimum: 2, maximum: 13 },
        message: expect.stringContaining('would have one name server'),
      }),
    );
  });

  test.each([
    ['a removal of the only host', remove('a.net'), ['a.net'], 'would have 0 name servers'],
    ['an addition of a 14th host', add('x.net'), hosts(13), 'would have 14 name servers'],
    ['a replacement of one of 14 hosts', replace('ns0.a.net', 'x.net'), hosts(14), '14'],
  ] as const)('%s are refused', (_what, change, before, message) => {
    expect(() => hostsAfter(change, before)).toThrow(
      expect.objectContaining({
        code: 'NOT_ELIGIBLE',
        facts: { minimum: 1, maximum: 13 },
        message: expect.stringContaining(message),
      }),
    );
  });
});

test.each([replace('a.net', 'b.net'), add('a.net'), remove('a.net')])(
  'a change of an empty list is refused: %o',
  (change) => {
    expect(() => hostsAfter(change, [])).toThrow(
      expect.objectContaining({
        code: 'NOT_ELIGIBLE',
        message: expect.stringContaining('"setNameServers"'),
      }),
    );
  },
);

test('a change never leaves no host or more than 13, is made once, and leaves the others in their order', () => {
  const known = hosts(15).map(host);
  const one = constantFrom(...known);
  const change = oneof(
    record({ replaceNameServer: record({ from: one, to: one }) }),
    record({ addNameServer: one }),
    record({ removeNameServer: one }),
  );
  // Of 15 hosts up to 14 in any order.
  const before = array(one, { maxLength: 14 }).chain((some) =>
    subarray(known, { maxLength: 14 - some.length }).map((more) => [
      ...new Set([...some, ...more]),
    ]),
  );

  assert(
    property(change, before, (difference: HostDifference, list) => {
      const named = JSON.stringify(difference);
      const others = (all: readonly string[]) => all.filter((name) => !named.includes(`"${name}"`));
      try {
        const after = hostsAfter(difference, list);
        if (after !== list) {
          expect(after.length).toBeGreaterThanOrEqual(1);
          expect(after.length).toBeLessThanOrEqual(13);
        }
        expect(new Set(after).size).toBe(after.length);
        expect(others(after)).toEqual(others(list));
        expect(hostsAfter(difference, after)).toBe(after);
        if ('addNameServer' in difference) expect(after).toContain(difference.addNameServer);
        if ('removeNameServer' in difference) {
          expect(after).not.toContain(difference.removeNameServer);
        }
      } catch (error) {
        if (!(error instanceof Fault)) throw error;
        const isAtBounds = list.length <= 2 || list.length >= 13;
        expect([error.code, isAtBounds]).toEqual(['NOT_ELIGIBLE', true]);
      }
    }),
  );
});
