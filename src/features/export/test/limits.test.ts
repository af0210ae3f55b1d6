import { describe, expect, test } from 'vitest';
import { apiKeysOf, by } from '../../../../test/access/keys.ts';
import { costlyDocument } from '../../../../test/support/costly-document.ts';
import { startTestGateway, type TestGateway } from '../../../../test/support/gateway.ts';
import { allAccessScopes } from '../../../kernel/caller.ts';
import { download } from './downloads.ts';

describe('the limits of requests', () => {
  const send = (gateway: TestGateway, file: string, name: string) =>
    download(gateway, file, { headers: by(name) });

  test('the rate limit of a key counts an export by its upstream calls, with the requests to the graph', async () => {
    const gateway = await startTestGateway({
      sandboxDomains: 5,
      env: {
        API_KEYS: apiKeysOf({ shop: allAccessScopes, office: allAccessScopes }),
        RATE_LIMIT_PER_MINUTE: '1',
      },
    });
    // Two of the hundred calls that a key can request at once are left.
    for (const name of ['shop', 'office']) await gateway.query(costlyDocument(98), {}, by(name));
    const first = await send(gateway, 'domains.csv', 'shop');
    const graph = await gateway.query('{ tld(name: "com") { name } }', {}, by('shop'));
    await gateway.resetCalls();
    const refused = await send(gateway, 'prices.csv', 'shop');
    const calls = await gateway.countCalls();
    const free = [];
    for (let at = 0; at < 21; at += 1) free.push(await send(gateway, 'purchases.csv', 'office'));
    await gateway.close();

    expect([first.status, graph.status]).toEqual([200, 200]);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(50);
    expect(JSON.parse(refused.text).errors).toMatchObject([
      { extensions: { code: 'RATE_LIMITED', executed: 'NO', retryable: true } },
    ]);
    expect(calls).toEqual({});
    // A request without an upstream call costs a tenth of a call.
    expect(free.map(({ status }) => status)).toEqual([...Array(20).fill(200), 429]);
  });

  test('an export counts as an open stream of its caller until it ends', async () => {
    const gateway = await startTestGateway({
      sandboxDomains: 5,
      env: {
        API_KEYS: apiKeysOf({ shop: allAccessScopes, office: allAccessScopes }),
        MAX_STREAMS_PER_CALLER: '1',
      },
    });
    await gateway.admin('POST', '/faults', { fault: 'hold-before', action: 'getdomainlist' });
    const open = send(gateway, 'domains.csv', 'shop');
    await expect.poll(() => gateway.admin('GET', '/held')).toEqual({ held: 1 });
    const second = await send(gateway, 'prices.csv', 'shop');
    const other = await send(gateway, 'prices.csv', 'office');
    await gateway.admin('POST', '/release', {});
    const first = await open;
    const later = await send(gateway, 'prices.csv', 'shop');
    await gateway.close();

    expect(second.status).toBe(429);
    expect([first.status, other.status, later.status]).toEqual([200, 200, 200]);
  });
});
