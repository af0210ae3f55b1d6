import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { apiKeysOf } from '../../../../test/access/keys.ts';
import { ada } from '../../../../test/support/ada.ts';
import { newFolder } from '../../../../test/support/folder.ts';
import type { Environment } from '../../../config/read-values.ts';
import { allAccessScopes } from '../../../kernel/caller.ts';
import { openWorlds } from './worlds.ts';

export const maple = 'maple-two-worlds.com';
const nameServers = '["ns1.host.net", "ns2.host.net"]';
/** GraphQL text for a contact. */
const contact = JSON.stringify(ada).replaceAll(/"(\w+)":/g, '$1:');
export const bought = `domain: "${maple}", nameServers: ${nameServers}, registrant: { fields: ${contact} }`;

/**
 * Two shops with the same prices, whose registrars charge different costs: 11.29 and 22.58 for a .com, for which both take 60.
 * A caller without the scope `prices:cost` cannot find out in which one it is.
 */
export async function openTwoShops(more: Environment = {}) {
  const prices = join(await newFolder('two-worlds'), 'prices.json');
  const price = { amount: '60', currency: 'USD' };
  await writeFile(prices, JSON.stringify({ rules: [{ fixed: price, belowCost: true }] }));
  const shopScopes = allAccessScopes.filter((scope) => scope !== 'prices:cost');
  const scopes = { shop: shopScopes, clerk: shopScopes, owner: allAccessScopes };
  const keys = JSON.parse(apiKeysOf(scopes));
  keys.shop.limits = { perCall: ['16 USD'], perDay: ['20 USD'] };
  const env = { PRICES_FILE: prices, API_KEYS: JSON.stringify(keys), ...more };
  return openWorlds({ sandboxTlds: 5, env });
}
