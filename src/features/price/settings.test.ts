import { expect, test } from 'vitest';
import { configOf } from '../../../test/support/own-config.ts';
import { missingPrices, priceSourceOf } from './settings.ts';

const login = {
  DOMAIN_API_USERNAME: 'ada',
  DOMAIN_API_PASSWORD: 'secret',
  API_KEY: 'k'.repeat(32),
};
const upstreams = {
  embedded: {},
  separate: { DOMAIN_API_URL: 'http://sandbox:4001/domain-api', API_KEY: login.API_KEY },
  remote: { DOMAIN_API_URL: 'https://api.example/domain', API_KEY: login.API_KEY },
  real: { UPSTREAM: 'live', DOMAIN_API_URL: 'https://api.example/domain', ...login },
};

test.each([
  ['prices.json', 'embedded', { file: 'prices.json' }],
  ['prices.json', 'real', { file: 'prices.json' }],
  ['none', 'embedded', 'cost'],
  ['none', 'real', 'cost'],
  [undefined, 'embedded', 'sandbox'],
  [undefined, 'separate', 'cost'],
  [undefined, 'remote', 'missing'],
  [undefined, 'real', 'missing'],
] as const)('PRICES_FILE=%s with the upstream %s: the source is %j', (file, upstream, source) => {
  const config = configOf({ ...upstreams[upstream], PRICES_FILE: file });

  expect(priceSourceOf(config)).toEqual(source);
  expect(config.warnings.includes(missingPrices)).toBe(source === 'missing');
});
