import { rm } from 'node:fs/promises';
import { afterAll, describe, expect, test } from 'vitest';
import { readConfig } from '../../src/app/read-config.ts';
import { routesOf } from '../../src/app/features.ts';
import { features } from '../../src/features/index.ts';
import { apiKeysOf } from '../access/keys.ts';
import { newFolder } from '../support/folder.ts';
import { startTestGateway } from '../support/gateway.ts';

const folder = await newFolder('core');
afterAll(() => rm(folder, { recursive: true }));

const start = (FEATURES: string) => startTestGateway({ env: { DATA_DIR: folder, FEATURES } });
const types = '{ __schema { types { name } } availability(name: "maple.com") { state } }';

test('the paths of features have no data for a request without credentials', async () => {
  const env = { API_KEYS: apiKeysOf({ shop: [] }) };
  const context = { has: () => true, config: readConfig(env) };
  const paths = (await routesOf(features))(context as never).flatMap((routes) =>
    Object.keys(routes),
  );
  const gateway = await startTestGateway({ env });
  const post = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' };
  const requests = paths.flatMap((path) => [{ path }, { path, ...post }]);
  const statuses = await Promise.all(
    requests.map(async ({ path, ...init }) => [
      path,
      (await fetch(gateway.url + path, init)).status,
    ]),
  );
  await gateway.close();

  expect(paths.length).toBeGreaterThan(0);
  expect(statuses.filter(([, status]) => ![401, 404, 405].includes(Number(status)))).toEqual([]);
});

describe('a gateway without features', () => {
  test('starts on the journal of all features, and responds with the types of the core', async () => {
    await (await start('all')).close();
    const core = await start('none');
    const { data, errors } = await core.query(types);
    await core.close();

    expect(errors).toBeUndefined();
    expect(data.availability).toEqual({ state: 'AVAILABLE' });
    const names = data.__schema.types.map(({ name }: { name: string }) => name);
    expect(names).toContain('Domain');
    const others = features.flatMap(({ nodes = [] }) => nodes);
    expect(others.filter((name) => names.includes(name))).toEqual([]);
  });

  test.each([
    ['calender', 'FEATURES has unknown names: calender.'],
    ['calendar,-calendar', 'FEATURES must be a list of names'],
  ])('does not start with FEATURES=%s', async (names, sentence) => {
    await expect(start(names)).rejects.toThrow(sentence);
  });
});
