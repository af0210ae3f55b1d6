import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { figuresOf } from '../../../src/app/features.ts';
import { features } from '../../../src/features/index.ts';
import { allAccessScopes, isAccessScope } from '../../../src/kernel/caller.ts';
import { purchaseStates } from '../../../src/kernel/purchase-states.ts';
import { figuresWith } from '../../../src/server/ui/figures.ts';
import { apiKeysOf, by } from '../../access/keys.ts';
import { newFolder } from '../../support/folder.ts';
import { startTestGateway, type TestGatewayOptions } from '../../support/gateway.ts';

const figures = figuresWith(await figuresOf(features));

const start = async (options: TestGatewayOptions) => {
  const gateway = await startTestGateway({ sandboxDomains: 5, accountToken: null, ...options });
  onTestFinished(() => gateway.close());
  return gateway;
};

/** The scopes in a text, and whether one of them is enough. */
const scopesIn = (needs: string) => ({
  scopes: needs.split(/[ ,.]+/).filter(isAccessScope),
  isOneEnough: needs.includes(' or '),
});

test('each figure is read with the scopes that it names, and with no fewer', async () => {
  const keys = figures.flatMap(({ id, needs }) => {
    const { scopes, isOneEnough } = scopesIn(needs);
    const others = allAccessScopes.filter((scope) => !scopes.includes(scope));
    const missing = isOneEnough || scopes.length === 0 ? [[]] : scopes.map((scope) => [scope]);
    const enough = isOneEnough ? scopes.map((scope) => [scope]) : [scopes];
    return [
      // Any scope will do for a figure that names none.
      ...enough.map((some, at) => [`${id}-may-${at}`, some.length > 0 ? some : ['ops']] as const),
      ...missing.map(
        (left, at) =>
          [
            `${id}-must-not-${at}`,
            scopes.length === 0
              ? []
              : [...others, ...scopes.filter((scope) => left.length > 0 && !left.includes(scope))],
          ] as const,
      ),
    ];
  });
  const gateway = await start({
    env: { API_KEYS: apiKeysOf(Object.fromEntries(keys) as Parameters<typeof apiKeysOf>[0]) },
  });

  for (const [name] of keys) {
    const { query } = figures.find(({ id }) => name.startsWith(`${id}-`)) ?? { query: '' };
    const { errors = [] } = await gateway.query(query, {}, by(name));

    const isForbidden = errors.some(
      ({ extensions }: { extensions: { code: string } }) => extensions.code === 'FORBIDDEN',
    );
    expect([name, isForbidden]).toEqual([name, name.includes('-must-not-')]);
  }
});

test('the list of open purchases has the states that its counts have together', () => {
  const { query } = figures.find(({ id }) => id === 'purchases') ?? { query: '' };
  const { open, ...counts } = Object.fromEntries(
    [...query.matchAll(/(\w+): purchases\(.*?states: \[(.*?)\]/g)].map(([, name, states]) => [
      ...[name, states?.split(', ') ?? []],
    ]),
  );

  expect(Object.values(counts).flat().sort()).toEqual(open.sort());
  // The others have ended, or nothing was sent.
  const unlisted = purchaseStates.filter((state) => !open.includes(state));
  expect(unlisted).toEqual(['HELD', 'CLAIMED', 'SUCCEEDED', 'FAILED']);
});

test('no figure but the balance and the renewals causes an upstream call', async () => {
  const gateway = await start({ sandboxDomains: 60 });
  const costs: Record<string, unknown> = {};
  for (const { id, query } of figures) {
    await gateway.resetCalls();
    const { errors } = await gateway.query(query);
    expect(errors).toBeUndefined();
    costs[id] = await gateway.countCalls();
  }

  const { balance, renewals, ...others } = costs;
  expect(balance).toEqual({ resellerdetails: 1 });
  expect(renewals).toEqual({ resellerdetails: 1, getdomainlist: 1, tldlist: 1 });
  expect(Object.values(others).flatMap((counts) => Object.keys(counts as object))).toEqual([]);
});

describe('the figures are read by a gateway', () => {
  test('that executes only the documents of its manifest', async () => {
    const folder = await newFolder('figures');
    onTestFinished(() => rm(folder, { recursive: true }));
    const file = join(folder, 'manifest.json');
    await writeFile(file, JSON.stringify({ one: 'query One { tlds { totalCount } }' }));
    const env = { DOCUMENT_MODE: 'enforce', DOCUMENT_MANIFEST: file, DEVELOPMENT: 'false' };
    const gateway = await start({ env });

    for (const { query } of figures) {
      expect((await gateway.query(query)).errors).toBeUndefined();
    }
    expect((await gateway.query('{ reseller { name } }')).errors).toMatchObject([
      { extensions: { code: 'DOCUMENT_NOT_LISTED' } },
    ]);
  });
});
