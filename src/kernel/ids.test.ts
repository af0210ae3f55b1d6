import { describe, expect, test } from 'vitest';
import { domainOfKey, globalId, keyOfId, parseGlobalId, readGlobalId } from './ids.ts';

const encoded = (text: string) => Buffer.from(text).toString('base64url');

describe('an id', () => {
  test.each([
    ['Domain', 'example.com'],
    ['Contact', 'example.com/billing'],
    ['Purchase', 'a:b'],
    ['T', ''],
    ['Tld', 'ä'],
  ])('of %s %j is read again', (typename, key) => {
    expect(readGlobalId(globalId(typename, key))).toEqual({ typename, key });
    expect(parseGlobalId(globalId(typename, key))).toEqual({ typename, key });
  });

  test.each([
    ['', 'nothing'],
    [encoded('Domain'), 'no key'],
    [encoded(':a'), 'no type'],
    [encoded('domain:a'), 'a type in lower case'],
    [encoded('Do main:a'), 'a blank in its type'],
    [encoded('1Domain:a'), 'a digit before its type'],
    [`${globalId('Domain', 'a')}!`, 'an invalid character'],
    [`${globalId('Domain', 'a')}==`, 'padding'],
    [Buffer.from('Domain:\xff', 'latin1').toString('base64url'), 'bytes that are no text'],
  ])('%j is malformed: it has %s', (id) => {
    expect(readGlobalId(id)).toBeNull();
    expect(() => parseGlobalId(id)).toThrow(expect.objectContaining({ code: 'INVALID_INPUT' }));
  });

  test('has its key for its own type only', () => {
    expect(keyOfId('Domain', globalId('Domain', 'a.com'))).toBe('a.com');
    expect(keyOfId('Tld', globalId('Domain', 'a.com'))).toBeNull();
    expect(keyOfId('Domain', 'malformed')).toBeNull();
  });

  test('has a domain only in its normalised form', () => {
    expect(domainOfKey('a.com')).toBe('a.com');
    expect(domainOfKey('A.com')).toBeNull();
    expect(domainOfKey('bücher.com')).toBeNull();
    expect(domainOfKey('no name')).toBeNull();
  });

  test('that is refused is repeated up to 40 characters', () => {
    expect(() => parseGlobalId(`${'a'.repeat(40)}b`)).toThrow(`"${'a'.repeat(40)}"`);
  });
});
