import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { newFolder } from '../../../test/support/folder.ts';
import { configOf } from '../../../test/support/own-config.ts';
import { ConfigError } from '../../config/config.ts';
import { webhookSettings } from './settings.ts';
import { isWebhookSecret, webhookUrlFlaw } from './url.ts';

const secretOf = (bytes: number) => `whsec_${Buffer.alloc(bytes, 1).toString('base64')}`;
const secret = secretOf(32);
const crm = { url: 'https://crm.example', secrets: [secret] };

const read = (webhooks: object, env: Record<string, string> = {}) =>
  configOf({ WEBHOOKS: JSON.stringify(webhooks), ...env });

/** The errors of the settings. */
function errorsOf(webhooks: object, env: Record<string, string> = {}): readonly string[] {
  try {
    read(webhooks, env);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.errors;
    throw error;
  }
}

test('without settings there is no webhook, and private targets are refused', () => {
  expect(webhookSettings.of(configOf({}))).toEqual({ WEBHOOKS: [], WEBHOOKS_ALLOW_PRIVATE: false });
});

test('a webhook has its URL in canonical form, and its defaults', () => {
  const config = read({
    crm,
    all: {
      ...{ url: 'HTTPS://All.example/a/../b?c=d', secrets: [secret, secretOf(24)] },
      ...{ types: ['EXPIRING'], description: 'All', tenant: 'default' },
    },
  });

  expect(
    webhookSettings
      .of(config)
      .WEBHOOKS.map(({ secrets, ...one }) => [one, secrets.map((each) => each.reveal())]),
  ).toEqual([
    [
      {
        ...{ name: 'crm', url: 'https://crm.example/', types: [] },
        ...{ description: null, tenant: 'default', format: 'STANDARD', chatId: null },
      },
      [secret],
    ],
    [
      {
        ...{ name: 'all', url: 'https://all.example/b?c=d', types: ['EXPIRING'] },
        ...{ description: 'All', tenant: 'default', format: 'STANDARD', chatId: null },
      },
      [secret, secretOf(24)],
    ],
  ]);
});

describe('a webhook is refused by name', () => {
  test.each<[object, RegExp]>([
    [{ crm: { ...crm, url: 'ftp://crm.example' } }, /"crm"\."url" is an https URL/],
    [{ crm: { ...crm, url: 'https://a:b@crm.example' } }, /"crm"\."url" is an https URL/],
    [{ crm: { ...crm, secrets: [] } }, /"crm"\."secrets" is a list of one or two secrets/],
    [{ crm: { url: crm.url } }, /each webhook of signed events has "secrets"/],
    [{ crm: { ...crm, format: 'FAX' } }, /"crm"\."format" is one of STANDARD/],
    [{ crm: { ...crm, secrets: [secret, secret, secret] } }, /"secrets" is a list/],
    [{ crm: { ...crm, secrets: ['plain-secret'] } }, /"secrets" is a list/],
    [{ crm: { ...crm, types: ['NO_SUCH'] } }, /"crm"\."types" is a list of .*\bDOMAIN_ADDED, /],
    [{ crm: { ...crm, description: 'x'.repeat(201) } }, /"description" is a text of up to 200/],
    [{ crm: { ...crm, extra: 1 } }, /"crm" is an object with "url" and "secrets"/],
    [{ 'no name': crm }, /each name is 1 to 40/],
    [{ crm, copy: { ...crm, url: 'https://crm.example/' } }, /no two webhooks of a tenant have/],
  ])('%o', (webhooks, message) => {
    const errors = errorsOf(webhooks);

    expect(errors).toEqual([expect.stringMatching(message)]);
    expect(errors.join()).not.toContain('secret=');
    expect(errors.join()).not.toContain(secret);
    expect(errors.join()).not.toContain('plain-secret');
  });

  test('with a tenant that does not exist', () => {
    expect(errorsOf({ crm: { ...crm, tenant: 'acme' } })).toEqual([
      'WEBHOOKS: the webhook "crm" has the tenant "acme", which is not in TENANTS.',
    ]);
  });

  test('with http, unless private targets are allowed', () => {
    const http = { crm: { ...crm, url: 'http://127.0.0.1:9000/' } };

    expect(errorsOf(http)).toEqual([
      'WEBHOOKS: each "url" must be an https URL, unless WEBHOOKS_ALLOW_PRIVATE is true.',
    ]);
    expect(errorsOf(http, { WEBHOOKS_ALLOW_PRIVATE: 'true' })).toEqual([]);
  });
});

test('private targets with a live upstream are a warning', () => {
  const live = {
    ...{ UPSTREAM: 'live', DOMAIN_API_URL: 'https://api.example/', API_KEY: 'k'.repeat(20) },
    ...{ DOMAIN_API_USERNAME: 'ada', DOMAIN_API_PASSWORD: 'secret' },
  };
  const warnings = (env: object) => configOf({ ...live, ...env }).warnings.join();

  expect(warnings({ WEBHOOKS_ALLOW_PRIVATE: 'true' })).toContain('WEBHOOKS_ALLOW_PRIVATE=true');
  expect(warnings({})).not.toContain('WEBHOOKS');
  expect(configOf({ WEBHOOKS_ALLOW_PRIVATE: 'true' }).warnings).toEqual([]);
});

test.each([
  [23, false],
  [24, true],
  [64, true],
  [65, false],
])('a secret of %i bytes is valid: %s', (bytes, isValid) => {
  expect(isWebhookSecret(secretOf(bytes))).toBe(isValid);
});

test.each([
  secret.replace('whsec_', ''),
  `${secret} `,
  secret.replace('=', ''),
  secret.replace('A', '-'),
  'whsec_',
])('%j is no secret', (text) => {
  expect(isWebhookSecret(text)).toBe(false);
});

test.each([
  ['https://a.example', false, null],
  [
    'http://a.example',
    false,
    'must begin with https://; WEBHOOKS_ALLOW_PRIVATE=true allows http://.',
  ],
  ['http://a.example', true, null],
  ['ftp://a.example', true, 'must begin with https:// or http://.'],
  ['https://user@a.example', true, 'must not contain a user name or password.'],
  ['https://:secret@a.example', true, 'must not contain a user name or password.'],
  ['https://a.example/#', true, 'must not contain a fragment (#).'],
  [`https://a.example/${'a'.repeat(1_982)}`, false, null],
  [`https://a.example/${'a'.repeat(1_983)}`, false, 'is not a URL of up to 2000 characters.'],
  ['a.example', true, 'is not a URL of up to 2000 characters.'],
])('the flaw of %s with http %s is %s', (url, allowsHttp, flaw) => {
  expect(webhookUrlFlaw(url, allowsHttp)).toBe(flaw);
});

test('a member that occurs twice is refused', () => {
  const text = '{"crm":{"url":"https://a.example","url":""}}';

  expect(() => configOf({ WEBHOOKS: text })).toThrow('without a second "url" in "crm"');
});

test('the secrets can come from a file', async () => {
  const folder = await newFolder('webhook-secrets');
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, 'webhooks.json');
  await writeFile(file, `${JSON.stringify({ crm })}\n`);

  const [webhook] = webhookSettings.of(configOf({ WEBHOOKS_FILE: file })).WEBHOOKS;

  expect(webhook?.secrets.map((one) => one.reveal())).toEqual([secret]);
});
