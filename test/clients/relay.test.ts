import { execFile } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { schema, sdlFiles } from '../../src/app/graph.ts';
import { newFolder } from '../support/folder.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { whyNotShort } from '../support/long.ts';
import { because } from '../support/skipped.ts';

/** Relay has a folder of its own, because its compiler is large. */
const packages = join(import.meta.dirname, 'relay');
const isInstalled = existsSync(join(packages, 'node_modules', 'relay-runtime'));
const why = whyNotShort ?? (isInstalled ? null : 'run "npm ci" in test/clients/relay');

// biome-ignore lint/suspicious/noExplicitAny: the packages and the compiled documents have no types here
type Untyped = any;
const load = (name: string): Promise<Untyped> =>
  import(createRequire(join(packages, 'package.json')).resolve(name));

/** Compiles the documents against `semantic.graphql`, and returns the folder of the compiled ones. */
async function compile(): Promise<string> {
  const folder = await newFolder('relay');
  const source = join(folder, 'src');
  mkdirSync(source);
  copyFileSync(join(packages, 'documents.js'), join(source, 'documents.js'));
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  writeFileSync(join(folder, 'schema.graphql'), sdlFiles['semantic.graphql']?.(schema) ?? '');
  const config = { src: './src', schema: './schema.graphql', language: 'javascript' };
  writeFileSync(
    join(folder, 'relay.config.json'),
    JSON.stringify({ ...config, eagerEsModules: true }),
  );
  const compiler = join(packages, 'node_modules/relay-compiler/cli.js');
  await promisify(execFile)(process.execPath, [compiler, 'relay.config.json'], { cwd: folder });
  return join(source, '__generated__');
}

describe.skipIf(why)(`Relay${because(why)}`, () => {
  let gateway: TestGateway;
  let relay: Untyped;
  let environment: Untyped;
  let compiled: string;

  beforeAll(async () => {
    gateway = await startTestGateway({ sandboxDomains: 5 });
    compiled = await compile();
    relay = await load('relay-runtime');
    const { meros } = await load('meros/browser');
    const network = relay.Network.create((params: Untyped, variables: object) =>
      relay.Observable.create((sink: Untyped) => {
        void send(params.text, variables)
          .then(() => sink.complete())
          .catch((error) => sink.error(error));

        async function send(query: string, sent: object): Promise<void> {
          const response = await fetch(`${gateway.url}/graphql`, {
            method: 'POST',
            headers: {
              'content-type': 'application/json',
              accept: 'multipart/mixed;deferSpec=20220824, application/json',
            },
            body: JSON.stringify({ query, variables: sent }),
          });
          const parts = await meros(response);
          if (parts === response) return void sink.next(await response.json());
          for await (const { body } of parts) {
            if (body.data) sink.next({ data: body.data });
            for (const part of body.incremental ?? []) sink.next(part);
          }
        }
      }),
    );
    const store = new relay.Store(new relay.RecordSource());
    environment = new relay.Environment({ network, store });
  });
  afterAll(() => gateway?.close());

  const documentOf = async (name: string): Promise<Untyped> =>
    (await import(join(compiled, `documents${name}.graphql.js`))).default;
  const read = async (name: string, variables: object = {}): Promise<Untyped> =>
    relay.fetchQuery(environment, await documentOf(name), variables).toPromise();

  test('reads a connection page by page, and a node by its id', async () => {
    const { domains } = await read('DomainsQuery', { first: 3 });
    const next = await read('DomainsQuery', { first: 3, after: domains.pageInfo.endCursor });
    const [{ node }] = next.domains.edges;

    expect(domains.pageInfo.hasNextPage).toBe(true);
    expect(next.domains.pageInfo.hasNextPage).toBe(false);
    expect(await read('NodeQuery', { id: node.id })).toMatchObject({ node: { name: node.name } });
  });

  test('receives deferred data after the first part', async () => {
    const document = await documentOf('LateQuery');
    const operation = relay.createOperationDescriptor(document, {});
    const names: (string | undefined)[] = [];
    await new Promise<void>((complete, error) => {
      const next = () => {
        const root = environment.getStore().getSource().get('client:root');
        names.push(root.reseller?.__ref);
      };
      environment.execute({ operation }).subscribe({ next, complete, error });
    });

    expect(names.length).toBeGreaterThan(1);
    expect(names[0]).toBeUndefined();
    expect(names.at(-1)).toEqual(expect.any(String));
  });

  test('updates the stored domain with the payload of a mutation', async () => {
    const { domains } = await read('DomainsQuery', { first: 1 });
    const { id, name } = domains.edges[0].node;
    const nameServers = ['ns1.relay-maple.net', 'ns2.relay-maple.net'];
    const mutation = await documentOf('ChangeMutation');
    const variables = { input: { domain: name, nameServers } };

    const payload: Untyped = await new Promise((onCompleted, onError) => {
      relay.commitMutation(environment, { mutation, variables, onCompleted, onError });
    });

    expect(payload.setNameServers.errors).toEqual([]);
    expect(environment.getStore().getSource().get(id).nameServers).toEqual(nameServers);
  });
});
