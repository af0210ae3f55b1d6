import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { newFolder } from '../../../test/support/folder.ts';
import { silentLog } from '../../../test/support/modules/test-settings.ts';
import { configOf } from '../../../test/support/own-config.ts';
import { CacheRevision } from '../../lib/lazy.ts';
import { systemClock } from '../../lib/system.ts';
import { retailPrices } from '../../scope/hooks.ts';
import { Tenant, type TenantFacts } from '../../scope/tenant.ts';
import { open } from './open.ts';

test('a change of the price file ends what each open tenant has cached', async () => {
  const folder = await newFolder('prices');
  const file = join(folder, 'prices.json');
  const write = (margin: string) => writeFile(file, JSON.stringify({ rules: [{ margin }] }));
  await write('10');
  const waiting: (() => void)[] = [];
  const wait = () => new Promise<void>((resolve) => void waiting.push(resolve));
  const clock = { ...systemClock, wait };
  const config = configOf({ PRICES_FILE: file });
  const context = { config, clock, wallClock: clock, log: silentLog, metrics: null };
  const { fills = [], background = [], close } = open(context);
  const revisions = ['one', 'two'].map(() => new CacheRevision());
  const tenants = revisions.map((revision) => new Tenant({ revision } as TenantFacts, fills));
  for (const tenant of tenants) for (const part of background) tenant.use(part);
  const current = () => revisions.map((revision) => revision.current);
  const [first, second] = tenants;
  const before = current();
  const list = first?.use(retailPrices).current();

  await write('20');
  waiting.shift()?.();
  await expect.poll(current).toEqual(before.map((revision) => revision + 1));
  expect(first?.use(retailPrices).current()).not.toBe(list);

  await second?.close();
  await write('30');
  await expect.poll(() => waiting.length).toBe(1);
  waiting.shift()?.();
  await expect.poll(() => current()[0]).toBe((before[0] ?? 0) + 2);
  expect(current()[1]).toBe((before[1] ?? 0) + 1);
  const closed = close?.();
  for (const end of waiting) end();
  await closed;
  await rm(folder, { recursive: true });
});
