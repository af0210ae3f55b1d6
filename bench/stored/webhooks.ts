import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { liveWhile, spanCell, startPair, streamOf } from './pair.ts';

const slowMs = 14_000;
const changeEveryMs = 1_000;

/** One fast endpoint beside slow ones: milliseconds from an event in the stream of events to its request. */
export async function measureWebhooks(slow: number, changes: number): Promise<string[][]> {
  const pair = await startPair({
    env: { WEBHOOKS_ALLOW_PRIVATE: 'true', EVENTS_INTERVAL_SECONDS: '1' },
  });
  const stop = new AbortController();
  const receivedAt = new Map<string, number>();
  const server = createServer(({ url, headers }, response) => {
    if (url === '/fast') receivedAt.set(String(headers['webhook-id']), performance.now());
    setTimeout(() => response.writeHead(204).end(), url === '/fast' ? 0 : slowMs);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    const { port } = server.address() as AddressInfo;
    const create = (path: string) =>
      pair.query(
        'mutation ($input: CreateWebhookInput!) { createWebhook(input: $input) { errors { message } } }',
        { input: { url: `http://127.0.0.1:${port}${path}` } },
      );
    for (let at = 0; at < slow; at += 1) await create(`/slow${at}`);
    await create('/fast');

    const writtenAt = new Map<string, number>();
    const following = (async () => {
      const document = 'subscription { events { id } }';
      for await (const { events } of streamOf(pair.gateway, document, {}, stop.signal))
        writtenAt.set(String(events.id), performance.now());
    })().catch((error: unknown) => {
      if (!stop.signal.aborted) throw error;
    });
    const work = async () => {
      for (let at = 0; at < changes; at += 1) {
        await pair.query(
          `mutation { setPrivacyProtection(input: { domain: "private-demo.net", privacyProtected: ${at % 2 === 1} }) { errors { message } } }`,
        );
        await sleep(changeEveryMs);
      }
      await sleep(2 * slowMs);
    };
    const live = await liveWhile(pair.gateway, work());
    stop.abort();
    await following;
    const spans = [...writtenAt].flatMap(([id, at]) => {
      const received = receivedAt.get(id);
      return received === undefined ? [] : [Math.max(0, received - at)];
    });
    return [
      [
        `a fast webhook beside ${slow} that need ${slowMs / 1_000} s`,
        spanCell(live),
        `${spans.length} of ${writtenAt.size} events received, after ${spanCell(spans)} ms`,
      ],
    ];
  } finally {
    stop.abort();
    await pair.close();
    server.closeAllConnections();
    server.close();
  }
}
