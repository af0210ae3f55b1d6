import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { readConfig } from '../app/read-config.ts';
import { withGateway } from './gateway-client.ts';

test('more than a hundred domains that the list leaves out are read in several requests, and one that is not there is named', async () => {
  const requested: number[] = [];
  const server = createServer(async (request, response) => {
    const { names } = JSON.parse(await text(request)).variables;
    requested.push(names.length);
    const domainsByName = names.map((name: string) =>
      name === 'absent.com' ? null : { name, labels: [{ name: 'team', value: 'blue' }] },
    );
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ data: { domainsByName } }));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const config = readConfig({ GATEWAY_URL: `http://127.0.0.1:${port}` });
  const names = Array.from({ length: 101 }, (_, at) => `name-${at}.com`);
  const read = (all: readonly string[]) =>
    withGateway(config, ({ readUnlisted }) => readUnlisted(all));

  const found = await read(names);
  const absent = read([...names, 'absent.com']);

  await expect(absent).rejects.toThrow('The account has no domain absent.com.');
  expect(found).toEqual(names.map((name) => ({ name, labels: { team: 'blue' } })));
  expect(requested).toEqual([100, 1, 100, 2]);
  server.close();
});
