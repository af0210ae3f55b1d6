import { expect, test } from 'vitest';
import { ada } from '../../../test/support/ada.ts';
import { createTenant, problems } from '../../../test/support/modules/purchase-tenant.ts';
import { anonymous } from '../../kernel/caller.ts';
import { StoredReads } from '../../scope/reads.ts';
import { contactProfiles } from './service.ts';
import { profileStore } from './store.ts';

test('a caller of a customer saves 1,000 profiles at most, and can change them then', async () => {
  const { gateway, clock } = await createTenant();
  const store = gateway.store(profileStore);
  const many = Array.from({ length: 1_000 }, (_, at) => ({
    ...{ id: `many-${at}`, name: `Many ${at}`, customer: 'acme', contact: JSON.stringify(ada) },
  }));
  await store.save(gateway.facts.account, many, clock.now());
  const serviceOf = (customer: string | null) =>
    contactProfiles.create({
      ...{ tenant: gateway.facts, stored: new StoredReads(clock) },
      ...{ caller: { ...anonymous, customer }, store: () => store },
    } as never);
  const input = { name: 'More', contact: ada };

  expect(problems(await serviceOf('acme').save(input))).toEqual(['INVALID_INPUT name']);
  expect(problems(await serviceOf('acme').save({ ...input, id: 'many-7' }))).toEqual([]);
  expect(problems(await serviceOf('rival').save(input))).toEqual([]);
  expect(problems(await serviceOf(null).save({ ...input, customer: 'acme' }))).toEqual([]);
});

test('the service is created once, and a response with a profile is never cached', async () => {
  const scope = (await createTenant()).request();
  const service = scope.use(contactProfiles);

  expect(scope.use(contactProfiles)).toBe(service);
  expect(scope.hasReadUncached).toBe(false);
  await service.byId('id');
  expect(scope.hasReadUncached).toBe(true);
});
