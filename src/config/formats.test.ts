import { describe, expect, test } from 'vitest';
import { Secret } from '../kernel/secret.ts';
import { readValues } from './read-values.ts';
import { type SettingName, settingsWith } from './settings.ts';

const read = (name: SettingName, text: string) => {
  const { values, invalid } = readValues({ [name]: text }, settingsWith([]));
  const value = values[name];
  if (invalid.has(name)) return 'refused';
  return value instanceof Secret ? value.reveal() : value;
};

const reads = (name: SettingName, ...rows: readonly (readonly [text: string, value: unknown])[]) =>
  rows.map(([text, value]) => ({ name, text, value }));
const refuses = (name: SettingName, ...texts: readonly string[]) =>
  reads(name, ...texts.map((text) => [text, 'refused'] as const));
const takes = (name: SettingName, ...texts: readonly string[]) =>
  reads(name, ...texts.map((text) => [text, text] as const));

describe('a number', () => {
  test.each([
    ...reads('PORT', ['0', 0], ['65535', 65_535], ['65536', 'refused']),
    ...reads('UPSTREAM_CONCURRENCY', ['1', 'refused'], ['2', 2], ['256', 256], ['257', 'refused']),
    ...reads('STOP_DELAY_SECONDS', ['20', 20_000], ['21', 'refused'], ['', 0]),
    ...reads('METRICS_PORT', ['9464', 9_464], ['', undefined]),
    ...refuses('PORT', '1e3', '0x10', '1.0', '+1', '١', '1234567890'),
  ])('$name=$text is $value', ({ name, text, value }) => {
    expect(read(name, text)).toBe(value);
  });
});

describe('a word', () => {
  test.each([
    ...reads('DEVELOPMENT', ['true', true], ['false', false], ['', undefined]),
    ...reads('COMPILED_QUERIES', ['false', false], ['', true]),
    ...refuses('COMPILED_QUERIES', 'TRUE', '1'),
    ...reads('DOCUMENT_MODE', ['log', 'log'], ['', 'off']),
  ])('$name=$text is $value', ({ name, text, value }) => {
    expect(read(name, text)).toBe(value);
  });
});

describe('a host', () => {
  test.each([
    ...takes('HOST', 'a', '::', '::1', '10.0.0.7', 'graph.example', 'a_b-c'),
    ...refuses('HOST', 'http://a', '-a', 'a/b', 'a b', '[::1]'),
    ...reads('ALLOWED_HOSTS', ['A.example', ['a.example']], ['::1', ['[::1]']]),
    ...reads('ALLOWED_HOSTS', ['2001:db8::2:1', ['[2001:db8::2:1]']], ['[::1]', ['[::1]']]),
    ...reads('ALLOWED_HOSTS', ['a, 10.0.0.7', ['a', '10.0.0.7']], ['', undefined]),
    ...refuses('ALLOWED_HOSTS', 'a:443', '[::1]:443', '10.0.0.7:80', 'a/b', '/a', 'u@a', 'a,,b'),
    ...refuses('ALLOWED_HOSTS', '[a]', '::1]', '[::1', 'x[::1]'),
  ])('$name=$text is $value', ({ name, text, value }) => {
    expect(read(name, text)).toEqual(value);
  });
});

describe('a URL', () => {
  test.each([
    ...takes('DOMAIN_API_URL', 'http://a', 'https://a.example:8443/domain-api'),
    ...refuses('DOMAIN_API_URL', 'a', 'ws://a', 'https://u@a', 'https://:p@a', 'https://a?b'),
    ...refuses('DOMAIN_API_URL', 'https://a/#b', 'https://a/?'),
    ...reads('CORS_ORIGINS', ['http://a:1, https://b', ['http://a:1', 'https://b']], ['', []]),
    ...refuses('CORS_ORIGINS', 'a', '*', 'null', 'ws://a', 'https://a/', 'https://A', 'https://a,'),
    ...takes('DATABASE_URL', 'postgres://a/b', 'postgresql://u:p@a:5432/b?sslmode=require'),
    ...refuses('DATABASE_URL', 'a', 'mysql://a/b', '/var/run/postgres:'),
  ])('$name=$text is $value', ({ name, text, value }) => {
    expect(read(name, text)).toEqual(value);
  });
});

describe('a secret', () => {
  test.each([
    ...takes('DOMAIN_API_PASSWORD', ' p ', 'ä'.repeat(512)),
    ...refuses('DOMAIN_API_PASSWORD', 'ä'.repeat(513), 'a\tb', 'a\u0000'),
  ])('$name=$text is $value', ({ name, text, value }) => {
    expect(read(name, text)).toBe(value);
  });

  test.each([
    ['15 characters', 'k'.repeat(15), false],
    ['16 characters', 'k'.repeat(16), true],
    ['512 characters', 'k'.repeat(512), true],
    ['513 characters', 'k'.repeat(513), false],
    ['every visible character', '!"#$%&()*+,-./:;<=>?@[]^_`{|}~', true],
    ['a space', 'a key of sixteen', false],
    ['a letter beyond ASCII', 'k'.repeat(16).concat('ä'), false],
  ])('an API key of %s is accepted: %s', (_what, key, isAccepted) => {
    expect(read('API_KEY', key) === key).toBe(isAccepted);
  });
});
