import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { apiKeysOf, by } from '../../../../test/access/keys.ts';
import { startTestGateway, type TestGateway } from '../../../../test/support/gateway.ts';
import { connectModern, handleIn, type ToolClient } from './clients.ts';

describe('a change in two steps', () => {
  const change = { setNameServers: ['ns1.changed.net', 'ns2.changed.net'] };
  const names = ['reseller-demo.com', 'unlocked-demo.com', 'not-ours.com'];
  const scopes = ['domains:read', 'domains:write'] as const;
  let gateway: TestGateway;
  let desk: ToolClient;
  beforeAll(async () => {
    gateway = await startTestGateway({
      ...{ sandboxDomains: 40, sandboxListSize: 39, accountToken: null },
      env: { MCP_WRITES: 'true', API_KEYS: apiKeysOf({ desk: scopes }) },
    });
    desk = await connectModern(gateway.url, by('desk'));
  });
  beforeEach(() => gateway.resetCalls());
  afterAll(async () => {
    await desk?.close();
    await gateway?.close();
  });
  const ended = async (id: string) => {
    const read = () => desk.call('change', { id });
    await expect.poll(async () => (await read()).data.bulkChange.state).not.toBe('RUNNING');
    return read();
  };

  test('changes each domain once, at the second step, also when it is sent twice at once', {
    tags: ['M4'],
  }, async () => {
    const preview = await desk.call('preview_change', { names, change });
    const ofPreview = await gateway.countCalls();
    const handle = handleIn(preview);
    const applied = await Promise.all([1, 2, 3].map(() => desk.call('apply_change', { handle })));
    const ids = applied.map(({ data }) => data.bulkChange.id);
    const { data, text } = await ended(ids[0]);

    expect(ofPreview).toEqual({ getdomainlist: 1 });
    expect(new Set(ids).size).toBe(1);
    expect(applied.filter((one) => !one.data.replayed)).toHaveLength(1);
    expect((await gateway.countCalls()).modifynameserver).toBe(2);
    expect(text).toMatch(/^The change has ended: \d+ changed/);
    expect(data.bulkChange).toMatchObject({
      progress: { succeeded: 2, failed: 1 },
      items: [{ domainName: 'not-ours.com', state: 'FAILED', errors: [{ code: 'NOT_FOUND' }] }],
    });
  });

  test('is for the domains of a filter, and says when the list is not complete', async () => {
    const filter = { contains: 'private-demo' };
    const preview = await desk.call('preview_change', {
      ...{ filter, change: { privacyProtected: false } },
    });
    const applied = await desk.call('apply_change', { handle: handleIn(preview) });
    const { data } = await ended(applied.data.bulkChange.id);

    expect(preview.data.previewBulkChange).toMatchObject({
      ...{ count: 1, sample: [{ domainName: 'private-demo.net', before: { text: 'true' } }] },
    });
    expect(preview.text).toContain('The list of domains is not complete');
    expect(data.bulkChange.progress.succeeded).toBe(1);
  });

  const sample = /"sample" has the first 10 of \d+\./;
  test.each<[string, object, readonly RegExp[]]>([
    [
      'all domains',
      { filter: {}, change: { privacyProtected: false } },
      [
        /^The change is for all domains of the account: \d+ domains; \d+ of them have the value already\. It publishes the contacts of \d+ domains?\./,
        sample,
      ],
    ],
    [
      'domains that cannot be changed',
      { filter: { nameServer: null }, change },
      [
        / of the account: /,
        /\. \d+ will fail: \d+ in the state [A-Z_]+(?:, \d+ in the state [A-Z_]+)*\. /,
        sample,
      ],
    ],
    [
      'one domain',
      { names: ['reseller-demo.com'], change: { privacyProtected: false } },
      [/^The change is for 1 domain; 1 of them has the value already\. Nothing was changed\./],
    ],
  ])('names the effect on %s', async (_name, args, sentences) => {
    const { text } = await desk.call('preview_change', args);

    for (const sentence of sentences) expect(text).toMatch(sentence);
    expect(text).not.toContain('(s)');
  });

  test.each([
    [
      'a host that is no name',
      { names, change: { setNameServers: ['-'] } },
      /^Nothing was changed\. INVALID_INPUT at "change\.setNameServers\[0\]": "…" has no TLD/,
    ],
    ['names and a filter', { names, filter: {}, change }, /: Send either "names" or "filter"\.$/],
    [
      'no domain that matches',
      { filter: { contains: 'nothing' }, change },
      /at "filter": The filter matches no domain of the account\.$/,
    ],
    [
      'two changes',
      { names, change: { ...change, privacyProtected: true } },
      /^INVALID_INPUT: "change" must have exactly one of these members: addNameServer, .* NO\./,
    ],
    [
      'a change of contacts',
      { names, change: { contact: {} } },
      /^INVALID_INPUT: This tool does not have such an argument\. .* executed: NO\./,
    ],
  ])('has no handle for %s', async (_name, args, sentence) => {
    const { text, isError } = await desk.call('preview_change', args);

    expect(isError).toBe(true);
    expect(text).toMatch(sentence);
    expect(text).not.toContain('"handle"');
  });
});
