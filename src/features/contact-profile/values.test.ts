import { expect, test } from 'vitest';
import { ada } from '../../../test/support/ada.ts';
import { createTenant, registration } from '../../../test/support/modules/purchase-tenant.ts';
import { globalId } from '../../kernel/ids.ts';
import { purchasing } from '../../modules/purchase/parts.ts';
import { readNamedContacts, readStoredValues } from '../../modules/purchase/registration-values.ts';
import { profileStore } from './store.ts';
import { open as openFeature } from './values.ts';

const { nameServers } = registration;
const registrant = { fields: ada };
const flags = { privacyProtected: false, transferLocked: true };
const whole = { nameServers, registrant, contact: registrant, ...flags };
const nothing = Object.fromEntries(Object.keys(whole).map((name) => [name, null]));
const choice = (key: string) => ({ profile: globalId('ContactProfile', key) });

/** A tenant with a profile, which is a default, and the statements that read profiles and defaults. */
async function open() {
  const tenant = await createTenant({}, openFeature().fills);
  const profile = { id: 'office', customer: null, name: 'Office', contact: JSON.stringify(ada) };
  const store = tenant.gateway.store(profileStore);
  const { account } = tenant.gateway.facts;
  await store.save(account, [profile], tenant.clock.now());
  await store.setDefaults(account, null, { profileId: 'office', nameServers });
  const statements: string[] = [];
  tenant.hooks.beforeStatement = (sql) => {
    const [, table] = /^select .*? from "(contact_profiles|purchase_defaults)"/.exec(sql) ?? [];
    if (table) statements.push(table);
  };
  return { tenant, statements };
}

const [profiles, defaults] = ['contact_profiles', 'purchase_defaults'];

test.each<[string, object, readonly (string | undefined)[]]>([
  ['everything', whole, []],
  ['the domain alone', nothing, [defaults]],
  ['everything but a flag', { ...whole, transferLocked: null }, [defaults]],
  [
    'everything, with profiles',
    { ...whole, registrant: choice('office'), contact: choice('office') },
    [profiles],
  ],
  ['a profile', { ...nothing, registrant: choice('office') }, [profiles, defaults]],
])(
  'a registration with %s reads the profiles and defaults that it needs, in one statement each',
  async (_what, values, read) => {
    const { tenant, statements } = await open();

    const { purchase, errors } = await tenant.register(values);

    expect(errors).toEqual([]);
    expect(purchase?.state).toBe('SUCCEEDED');
    expect(statements).toEqual(read);
  },
);

test('500 registrations read as much as one, and a transfer nothing', async () => {
  const { tenant, statements } = await open();
  const many = Array.from({ length: 500 }, () => ({ registrant: choice('office') }));
  const deps = tenant.request().use(purchasing);

  await readStoredValues(deps, many);
  expect(statements.splice(0)).toEqual([profiles, defaults]);
  await readNamedContacts(deps, many);
  expect(statements.splice(0)).toEqual([profiles]);
  await tenant.transfer({ domain: 'moved.com' });
  expect(statements).toEqual([]);
});
