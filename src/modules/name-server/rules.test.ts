import { describe, expect, test } from 'vitest';
import { parseDomainName } from '../../kernel/domain-name.ts';
import { createChecks } from '../mutation/checks.ts';
import { checkNameServers, childOf, isSameAddress, publicAddress } from './rules.ts';

describe('the name servers of a domain', () => {
  const hosts = (count: number) => Array.from({ length: count }, (_, at) => `ns${at}.a.net`);

  test('are in canonical form, without repetitions', () => {
    const checks = createChecks();

    expect(checkNameServers(checks, ['NS1.a.net.', 'ns1.a.net', 'ns.bücher.de'])).toEqual([
      ...['ns1.a.net', 'ns.xn--bcher-kva.de'],
    ]);
    expect(checks.faults).toEqual([]);
  });

  test.each([
    [0, true],
    [1, false],
    [13, false],
    [14, true],
  ])('are 1 to 13: %i', (count, isRefused) => {
    const checks = createChecks();
    checkNameServers(checks, hosts(count));

    const fault = { inputPath: ['input', 'nameServers'], facts: { minimum: 1, maximum: 13 } };
    expect(checks.faults).toMatchObject(isRefused ? [{ code: 'INVALID_INPUT', ...fault }] : []);
  });

  test('are all reported that are no host names', () => {
    const checks = createChecks();
    checkNameServers(checks, ['a b', 'ns1.a.net', '-']);

    expect(checks.faults.map(({ inputPath }) => inputPath)).toEqual([
      ...[0, 2].map((at) => ['input', 'nameServers', String(at)]),
    ]);
  });
});

describe('an address of a name server', () => {
  test.each([
    ...['8.8.8.8', '1.1.1.1', '172.15.255.255', '172.32.0.1', '223.255.255.255', '100.63.0.1'],
    ...['2606:4700::1111', '2000::1', '3ffe::1', '2001:200::1', '2003::1'],
  ])('is a public one: %s', (address) => {
    expect(publicAddress(` ${address} `)).toBe(address);
  });

  test.each([
    ...['0.1.2.3', '10.0.0.1', '100.64.0.1', '127.0.0.1', '169.254.1.1', '172.16.0.1'],
    ...['192.0.0.1', '192.0.2.1', '192.88.99.1', '192.168.1.1', '198.18.0.1', '198.51.100.1'],
    ...['203.0.113.1', '224.0.0.1', '240.0.0.1', '255.255.255.255'],
    ...[
      '::1',
      '::',
      'fe80::1',
      'fc00::1',
      'ff02::1',
      '2001:db8::1',
      '2001::1',
      '2002::1',
      '3fff::1',
    ],
    ...['::ffff:8.8.8.8', '64:ff9b::1'],
    ...['', 'host.net', '8.8.8', '8.8.8.8/24', '08.8.8.8', '2606::1%eth0', '8.8.8.8 9.9.9.9'],
  ])('is not %s', (address) => {
    expect(() => publicAddress(address)).toThrow(
      expect.objectContaining({ code: 'INVALID_INPUT' }),
    );
  });
});

describe('a child name server', () => {
  const domain = parseDomainName('example.com');

  test('is under its domain', () => {
    const host = parseDomainName('ns1.example.com');

    expect(childOf(host, domain)).toBe(host);
  });

  test.each(['example.com', 'ns1.other.com', 'ns1-example.com', 'com.tr'])('is not %s', (host) => {
    expect(() => childOf(parseDomainName(host), domain)).toThrow(
      expect.objectContaining({ code: 'INVALID_INPUT' }),
    );
  });
});

test.each([
  ['8.8.8.8', '8.8.8.8', true],
  ['8.8.8.8', '8.8.8.9', false],
  ['2606:4700::1111', '2606:4700:0:0:0:0:0:1111', true],
  ['2606:4700::1111', '2606:4700::1112', false],
  ['8.8.8.8', '2606:4700::1111', false],
  ['2606:4700::1111', '8.8.8.8', false],
  ['::ffff:8.8.8.8', '8.8.8.8', false],
  ['host', 'host', false],
  ['', '8.8.8.8', false],
  ['8.8.8.8', '', false],
])('%s and %s are the same address: %s', (one, other, isSame) => {
  expect(isSameAddress(one, other)).toBe(isSame);
});
