import { describe, expect, test } from 'vitest';
import { readValues } from './read-values.ts';
import { settingsWith } from './settings.ts';

const issuer = {
  ...{ name: 'login', issuer: 'https://login.example', jwks: 'https://login.example/keys' },
  ...{ audience: 'graph', algorithms: ['RS256'] },
};
const read = (...issuers: readonly unknown[]) => {
  const { values, errors } = readValues({ JWT_ISSUERS: JSON.stringify(issuers) }, settingsWith([]));
  return { issuers: values.JWT_ISSUERS, errors };
};

describe('an issuer', () => {
  test('has one or more audiences, and the scopes of the claim "scope"', () => {
    expect(read(issuer, { ...issuer, name: 'b', issuer: 'b', audience: ['x', 'y'] })).toMatchObject(
      {
        issuers: [
          { name: 'login', audience: ['graph'], scopesClaim: 'scope', limits: {} },
          { name: 'b', audience: ['x', 'y'] },
        ],
      },
    );
    expect(read({ ...issuer, scopesClaim: 'permissions' })).toMatchObject({
      issuers: [{ scopesClaim: 'permissions' }],
    });
  });

  test.each([
    [{}, 'default'],
    [{ tenant: 'acme' }, 'acme'],
    [{ tenantClaim: 'reseller' }, { claim: 'reseller' }],
  ])('with %j has the tenant %j', (members, tenant) => {
    expect(read({ ...issuer, ...members })).toMatchObject({ issuers: [{ tenant }], errors: [] });
  });

  test.each([
    ['https://a/keys', { url: 'https://a/keys' }],
    ['HTTPS://a/keys', { url: 'HTTPS://a/keys' }],
    ['http://127.0.0.1:1/keys', { url: 'http://127.0.0.1:1/keys' }],
    ['http://localhost/keys', { url: 'http://localhost/keys' }],
    ['./keys.json', { file: './keys.json' }],
    ['/etc/https:/keys.json', { file: '/etc/https:/keys.json' }],
  ])('reads its keys at %s', (jwks, place) => {
    expect(read({ ...issuer, jwks })).toMatchObject({ issuers: [{ jwks: place }], errors: [] });
  });

  test.each([
    ['"jwks"', { jwks: 'http://login.example/keys' }],
    ['"jwks"', { jwks: 'https:' }],
    ['"jwks"', { jwks: '' }],
    ['"issuer"', { issuer: '' }],
    ['"issuer"', { issuer: 'i'.repeat(501) }],
    ['"issuer"', { issuer: 'a\nb' }],
    ['"audience"', { audience: [] }],
    ['"audience"', { audience: [''] }],
    ['"algorithms"', { algorithms: [] }],
    ['"algorithms"', { algorithms: ['none'] }],
    ['"algorithms"', { algorithms: ['HS256'] }],
    ['"scopesClaim"', { scopesClaim: '' }],
    ['"name"', { name: 'Login' }],
    ['"tenant"', { tenant: 'acme', tenantClaim: 'reseller' }],
    ['"tenant"', { tenant: 'ACME' }],
    ['"limits"', { limits: { perWeek: 1 } }],
  ])('is refused at %s for %j', (place, members) => {
    const { issuers, errors } = read(issuer, { ...issuer, name: 'b', issuer: 'b', ...members });

    expect(issuers).toBeUndefined();
    expect(errors).toHaveLength(1);
    expect(errors[0]).toContain(`where [1].${place} is `);
  });

  test('is refused with an unknown member', () => {
    expect(read({ ...issuer, key: 'x' }).errors).toEqual([expect.stringContaining('where [0] is')]);
  });
});

test.each([
  ['no issuer', []],
  ['two of one name', [issuer, { ...issuer, issuer: 'https://other.example' }]],
  ['two of one address', [issuer, { ...issuer, name: 'other' }]],
])('%s is refused', (_what, issuers) => {
  expect(read(...issuers).errors).toEqual([expect.stringContaining('where it is a list')]);
});
