import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { printSchema } from 'graphql';
import { createSchema, createYoga } from 'graphql-yoga';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { blocksOf, readText, root } from '../../../../test/docs/markdown.ts';
import { startTestGateway } from '../../../../test/support/gateway.ts';
import { whyNotShort } from '../../../../test/support/long.ts';
import { schema } from '../../../app/graph.ts';
import { printForStitching, printSubgraph } from '../sdl.ts';
import { withPrefix } from '../served-graph.ts';
import { stitchedNeighbour } from './neighbour.ts';

const run = promisify(execFile);
const page = 'docs/supergraph.md';
const [composing = '', stitching = ''] = blocksOf(page, 'js');
const [visits = ''] = blocksOf(page, 'graphql');

/** A folder of a reader, with the packages of this repository. */
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'reseller-graph-'));
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function runScript(name: string, script: string): Promise<string> {
  await writeFile(join(folder, name), script);
  return (await run(process.execPath, [name], { cwd: folder })).stdout;
}

test.skipIf(whyNotShort)(
  'the composition script creates a supergraph of both subgraphs',
  async () => {
    await writeFile(join(folder, 'subgraph.graphql'), printSubgraph(schema));
    await writeFile(join(folder, 'visits.graphql'), visits);

    await runScript('compose.mjs', composing);

    const supergraph = await readFile(join(folder, 'supergraph.graphql'), 'utf8');
    expect(supergraph).toContain('reminder: String');
    expect(supergraph).toContain(
      '@join__graph(name: "reseller", url: "http://127.0.0.1:4000/graphql")',
    );
  },
);

test.skipIf(whyNotShort)(
  'the stitching script reads both SDLs and queries both graphs',
  async () => {
    const gateway = await startTestGateway({ env: { SUBGRAPH: 'true' } });
    const neighbour = await serve(stitchedNeighbour());
    const script = stitching
      .replace('http://127.0.0.1:4000', gateway.url)
      .replace('http://127.0.0.1:4100', neighbour.url);

    const output = await runScript('stitch.mjs', script).finally(() =>
      Promise.all([gateway.close(), neighbour.close()]),
    );

    expect(JSON.parse(output)).toEqual({
      data: {
        domain: { name: 'reseller-demo.com', expiresAt: expect.any(String), visits: 170 },
      },
    });
  },
);

test.skipIf(whyNotShort)('the commands print the graph with a prefix', async () => {
  const [start = '', printing = ''] = blocksOf(page, 'sh');
  const renamed = withPrefix(schema, 'Acme');
  const printed = [printSubgraph, printForStitching, printSchema].map((print) => print(renamed));

  const { stdout } = await run('sh', ['-ec', printing], { cwd: root });

  expect(start).toContain('TYPE_PREFIX=Acme');
  expect(stdout).toBe(printed.map((text) => `${text}\n`).join(''));
});

test('the table has every type with a key and its keys', () => {
  const shown = [...readText(page).matchAll(/^\| `(\w+)` \| (.*?) \|/gm)];
  const keys = [...printSubgraph(schema).matchAll(/^type (\w+) implements Node (@key.*) \{$/gm)];

  expect(keys.length).toBeGreaterThan(5);
  expect(Object.fromEntries(shown.map(([, type, by]) => [type, by?.replaceAll('`', '')]))).toEqual(
    Object.fromEntries(
      keys.map(([, type, marks]) => [
        type,
        [...(marks ?? '').matchAll(/"(\w+)"/g)].map(([, key]) => key).join(', '),
      ]),
    ),
  );
});

/** Another graph on its own port, which returns its SDL. */
async function serve({ sdl, resolvers }: ReturnType<typeof stitchedNeighbour>) {
  const telling = createSchema({
    typeDefs: [sdl, 'extend type Query { _sdl: String! }'],
    resolvers: [resolvers, { Query: { _sdl: () => sdl } }],
  });
  const server = createServer(createYoga({ schema: telling, logging: false }));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => promisify(server.close.bind(server))(),
  };
}
