import { hash } from 'node:crypto';
import { mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { newFolder } from '../../test/support/folder.ts';
import { ConfigError, readConfig, readKeySettings } from './config.ts';
import {
  KeysFileError,
  madeKeysIn,
  parseKeys,
  parseStored,
  readKeysText,
  writeKeys,
} from './keys-file.ts';

const folder = await newFolder('keys-file');
afterAll(() => rmSync(folder, { recursive: true }));

const sha256 = hash('sha256', 'a key');
const stored = { prefix: '0123456789', sha256, scopes: [], made: '2026-01-31T12:00:00Z' };
const parsed = (changes: object, other: object = {}) =>
  parseKeys(JSON.stringify({ shop: { ...stored, ...changes }, ...other }));

describe('a stored key', () => {
  test('has its name, its digest as a secret and its times', () => {
    const [key] = parsed({ expires: '2027-01-31T12:00:00Z', scopes: ['domains:check'] });

    expect(key?.sha256.reveal()).toBe(sha256);
    expect(key).toMatchObject({
      name: 'shop',
      scopes: ['domains:check'],
      expiresAt: new Date('2027-01-31T12:00:00Z'),
    });
  });

  test('without options never expires, and has the default tenant and no limits', () => {
    expect(parsed({})).toMatchObject([{ expiresAt: null, tenant: 'default', limits: {} }]);
  });

  test.each([
    ['a prefix of 9 digits', { prefix: '012345678' }],
    ['a prefix of 11 digits', { prefix: '01234567890' }],
    ['a prefix in capitals', { prefix: 'ABCDEF0123' }],
    ['a time without its zone', { made: '2026-01-31T12:00:00' }],
    ['a day for a time', { expires: '2026-01-31' }],
    ['a digest of 63 digits', { sha256: sha256.slice(1) }],
    ['a digest of 65 digits', { sha256: `${sha256}0` }],
    ['an unknown scope', { scopes: ['domains:all'] }],
    ['an unknown member', { key: 'a key' }],
  ])('with %s is refused without a word of the file', (_what, changes) => {
    const attempt = () => parsed(changes);

    expect(attempt).toThrow(KeysFileError);
    expect(attempt).not.toThrow(sha256.slice(1));
  });

  test('is refused when another has the same digest or an invalid name', () => {
    expect(() => parsed({}, { office: { ...stored, prefix: '9876543210' } })).toThrow('"sha256"');
    expect(() => parsed({}, { 'a key': stored })).toThrow(KeysFileError);
  });
});

describe('the file of keys', () => {
  test.each(['', 'null', '[]', '{ not json'])('is refused with the content %j', (text) => {
    expect(() => parseKeys(text)).toThrow(KeysFileError);
    expect(() => parseStored(text)).toThrow(KeysFileError);
  });

  test('is refused with two keys of one name, by the name', () => {
    const text = `{"shop":${JSON.stringify(stored)},"shop":${JSON.stringify({ ...stored, scopes: ['ops'] })}}`;

    expect(() => parseKeys(text)).toThrow(
      'The file of keys has a second "shop"; remove one of the two.',
    );
  });

  test('has no keys while it does not exist', () => {
    const { read, parse } = madeKeysIn(join(folder, 'absent.json'));

    expect(parse(read())).toEqual([]);
    expect(parseStored(read())).toEqual({});
  });

  test('is refused by name and reason when it cannot be read or written', () => {
    expect(() => readKeysText(folder)).toThrow(/".*" cannot be read \(EISDIR\)/);
    expect(() => writeKeys(folder, {})).toThrow(/".*" cannot be written: /);
    expect(() => writeKeys(folder, {})).toThrow(KeysFileError);
  });

  test('is written for its owner only, in a new folder, over a draft that others could read', () => {
    const file = join(folder, 'new', 'deep', 'keys.json');
    writeKeys(file, {});
    writeFileSync(`${file}.new`, 'a draft', { mode: 0o666 });

    writeKeys(file, { shop: stored });

    expect(parseStored(readKeysText(file))).toEqual({ shop: stored });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(() => statSync(`${file}.new`)).toThrow('ENOENT');
  });
});

describe('the place of the file', () => {
  test('is KEYS_FILE, else keys.json in DATA_DIR', () => {
    expect(readKeySettings({ DATA_DIR: folder }).file).toBe(join(folder, 'keys.json'));
    expect(readKeySettings({ DATA_DIR: folder, KEYS_FILE: './mine' }).file).toBe('./mine');
    expect(readConfig({ DATA_DIR: folder, AUTH: 'keys', API_KEY: 'k'.repeat(16) }).auth).toEqual(
      expect.objectContaining({ keysFile: join(folder, 'keys.json') }),
    );
  });

  test('is reported with the names that other settings use', () => {
    const API_KEYS = JSON.stringify({ shop: { sha256 } });

    expect(readKeySettings({ API_KEY: 'k'.repeat(16), API_KEYS }).taken).toEqual([
      'default',
      'shop',
    ]);
    expect(readKeySettings({}).taken).toEqual([]);
    expect(() => readKeySettings({ API_KEY: 'short' })).toThrow(ConfigError);
  });
});

describe('a gateway with a file of keys', () => {
  const KEYS_FILE = join(folder, 'made.json');
  writeFileSync(KEYS_FILE, JSON.stringify({ shop: stored }));
  const errorsOf = (env: Record<string, string>) => {
    try {
      return readConfig({ KEYS_FILE, ...env }).warnings;
    } catch (error) {
      return error instanceof ConfigError ? error.errors.map((one) => one.slice(0, 16)) : error;
    }
  };

  test('requires a key of its clients', () => {
    expect(readConfig({ KEYS_FILE }).auth.kind).toBe('keys');
  });

  test('warns that the file has no effect while access is open', () => {
    expect(errorsOf({ AUTH: 'open' })).toEqual(['KEYS_FILE has no effect while AUTH is open.']);
    expect(errorsOf({ AUTH: 'keys' })).toEqual([]);
  });

  test('refuses a name that is also in the settings', () => {
    const keyNamed = (name: string) => JSON.stringify({ [name]: { sha256: hash('sha256', 'b') } });

    expect(errorsOf({ API_KEYS: keyNamed('shop') })).toEqual(['The key "shop" i']);
    expect(errorsOf({ API_KEYS: keyNamed('office') })).toEqual([]);
    const file = join(folder, 'default.json');
    writeFileSync(file, JSON.stringify({ default: stored }));
    expect(errorsOf({ KEYS_FILE: file, API_KEY: 'k'.repeat(16) })).toEqual(['The key "default']);
  });

  test('does not start with a file that it cannot use', () => {
    const broken = join(folder, 'broken.json');
    writeFileSync(broken, '{');

    expect(errorsOf({ KEYS_FILE: broken })).toEqual(['The file of keys']);
    mkdirSync(join(folder, 'a-folder'));
    expect(errorsOf({ KEYS_FILE: join(folder, 'a-folder') })).toEqual(['The file of keys']);
  });
});
