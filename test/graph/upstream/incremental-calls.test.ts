import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { openStream } from '../../support/event-stream.ts';
import { startTestGateway } from '../../support/gateway.ts';

const gateway = await startTestGateway({ sandboxDomains: 5 });
afterAll(() => gateway.close());
beforeEach(async () => {
  await gateway.admin('DELETE', '/faults');
  await gateway.resetCalls();
});

// biome-ignore lint/suspicious/noExplicitAny: a test looks into parts of any shape
type Part = any;

async function readMultipart(query: string): Promise<readonly Part[]> {
  const response = await fetch(`${gateway.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'multipart/mixed' },
    body: JSON.stringify({ query }),
  });
  const [, boundary = ''] =
    /boundary="?([^";]+)/.exec(response.headers.get('content-type') ?? '') ?? [];
  const parts = (await response.text()).split(`--${boundary}`).slice(1, -1);
  return parts.map((part) => JSON.parse(part.slice(part.indexOf('\r\n\r\n'))));
}

const readEvents = async (query: string): Promise<readonly Part[]> =>
  (await (await openStream(gateway.url, { query })).rest())
    .filter(({ event }) => event === 'next')
    .map(({ data }) => data);

const tlds = '["com", "net", "io", "shop", "tr", "org", "de", "info"]';
const search = `searchDomains(labels: ["maple-harbor"], tlds: ${tlds}) @stream { availability { name state } }`;
const domain = 'domain(name: "reseller-demo.com")';
const contacts = 'contacts { registrant { firstName } }';

/** Each with an action that at least two parts cause, or that only a later part causes. */
const documents: Readonly<Record<string, readonly [query: string, laterAction: string]>> = {
  'a streamed search': [`{ ${search} }`, 'bulkcheckavailability'],
  'a deferred field': [`{ reseller { name } ... @defer { ${domain} { state } } }`, 'getdetails'],
  'a deferred fragment in a deferred fragment': [
    `{ ... @defer { ${domain} { state ... @defer { ${contacts} } } } }`,
    'getcontacts',
  ],
  'a streamed search beside a deferred field': [
    `{ ${search} ... @defer { reseller { name } ${domain} { ... @defer { ${contacts} } } } }`,
    'getcontacts',
  ],
};

describe.each([
  ['multipart/mixed', readMultipart],
  ['text/event-stream', readEvents],
] as const)(
  'in %s "extensions.upstream" of the last part has the calls of the whole operation:',
  (_type, read) => {
    test.each(Object.entries(documents))('%s', async (_name, [query, laterAction]) => {
      const parts = await read(query);

      const counts = await gateway.countCalls();
      const last = parts.at(-1);
      expect(parts.length).toBeGreaterThan(1);
      expect(last.hasNext).toBe(false);
      expect(counts).toHaveProperty(laterAction);
      expect(last.extensions.upstream.byAction).toEqual(counts);
      expect(last.extensions.upstream.calls).toBe(
        Object.values(counts).reduce((sum, calls) => sum + calls, 0),
      );
      expect(last.extensions.upstream.list).toHaveLength(last.extensions.upstream.calls);
    });

    test('with the attempts that failed', async () => {
      const fault = { fault: 'gateway', action: 'getdetails', times: 1 };
      await gateway.admin('POST', '/faults', fault);

      const parts = await read(`{ reseller { name } ... @defer { ${domain} { state } } }`);

      expect(await gateway.countCalls()).toEqual({ resellerdetails: 1, getdetails: 2 });
      expect(parts.at(-1).extensions.upstream.byAction).toEqual({
        resellerdetails: 1,
        getdetails: 2,
      });
    });
  },
);
