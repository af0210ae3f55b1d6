import { expect, test } from 'vitest';
import { ada } from '../../../test/support/ada.ts';
import {
  bulkReply,
  createTenant,
  registration,
} from '../../../test/support/modules/purchase-tenant.ts';
import { globalId } from '../../kernel/global-id.ts';
import { orders } from '../order/parts.ts';

const { nameServers } = registration;
const registrant = { fields: ada };
const flags = { privacyProtected: false, transferLocked: true };
const whole = { nameServers, registrant, contact: registrant, ...flags };
const nothing = Object.fromEntries(Object.keys(whole).map((name) => [name, null]));
const choice = (key: string) => ({ profile: globalId('ContactProfile', key) });

/** A tenant with a profile, which is a default, and the statements that read profiles and defaults. */
async function open() {
  const tenant = await createTenant();
  const profile = { id: 'office', customer: null, name: 'Office', contact: JSON.stringify(ada) };
  const { profiles } = tenant.journal;
  await profiles.save(tenant.gateway.facts.account, [profile], tenant.clock.now());
  await profiles.setDefaults(tenant.gateway.facts.account, null, {
    profileId: 'office',
    nameServers,
  });
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

test('500 lines of an order read as much as one, and a transfer nothing', async () => {
  const { tenant, statements } = await open();
  const lines = Array.from({ length: 500 }, (_, at) => ({
    registration: { domain: `maple-${at}.com`, acceptPremium: false, registrant: choice('office') },
  }));
  const service = tenant.request().use(orders);
  tenant.upstream.bulkcheckavailability = bulkReply({});

  const { order } = await service.place({ idempotencyKey: 'many', onFailure: 'CONTINUE', lines });
  expect(order).not.toBeNull();
  expect(statements.splice(0)).toEqual([profiles, defaults]);
  await service.quote({ lines });
  expect(statements.splice(0)).toEqual([profiles]);
  await service.place({ idempotencyKey: 'many', onFailure: 'CONTINUE', lines });
  await tenant.transfer({ domain: 'moved.com' });
  expect(statements).toEqual([]);
});
