import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { apiKeysOf, by } from '../access/keys.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { connectModern, type ToolClient, tokenIn } from './clients.ts';

describe('a change in two steps', () => {
  const change = { setNameServers: ['ns1.changed.net', 'ns2.changed.net'] };
  const names = ['reseller-demo.com', 'unlocked-demo.com', 'not-ours.com'];
  const scopes = ['domains:read', 'domains:write'] as const;
  let gateway: TestGateway;
  let desk: ToolClient;
  let rival: ToolClient;
  beforeAll(async () => {
    gateway = await startTestGateway({
      ...{ sandboxDomains: 40, sandboxListSize: 39, accountToken: null },
      env: { MCP_WRITES: 'true', API_KEYS: apiKeysOf({ desk: scopes, rival: scopes }) },
    });
    desk = await connectModern(gateway.url, by('desk'));
    rival = await connectModern(gateway.url, by('rival'));
  });
  beforeEach(() => gateway.resetCalls());
  afterAll(async () => {
    await desk?.close();
    await rival?.close();
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
    const token = tokenIn(preview);
    const applied = await Promise.all([1, 2, 3].map(() => desk.call('apply_change', { token })));
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
    const applied = await desk.call('apply_change', { token: tokenIn(preview) });
    const { data } = await ended(applied.data.bulkChange.id);

    expect(preview.data.previewBulkChange).toMatchObject({
      ...{ count: 1, sample: [{ domainName: 'private-demo.net', before: { text: 'true' } }] },
    });
    expect(preview.text).toContain('The list of domains is not complete');
    expect(data.bulkChange.progress.succeeded).toBe(1);
  });

  test.each([
    ['no token', () => ({}), 'Missing arguments: token.'],
    ['another text', () => ({ token: 'please' }), 'This token is not valid'],
    ['another input', (token: string) => ({ token, change }), 'The arguments are: token.'],
  ])('changes nothing with %s', { tags: ['M3'] }, async (_name, argsOf, sentence) => {
    const token = tokenIn(await desk.call('preview_change', { names, change }));
    await gateway.resetCalls();
    const { text, isError } = await desk.call('apply_change', argsOf(token));

    expect(isError).toBe(true);
    expect(text.split('\n')[0]).toContain(sentence);
    expect(await gateway.countCalls()).toEqual({});
  });

  test('changes nothing with the token of another caller', { tags: ['M3'] }, async () => {
    const token = tokenIn(await desk.call('preview_change', { names, change }));
    await gateway.resetCalls();
    const { text } = await rival.call('apply_change', { token });

    expect(text).toContain('This token is not valid for this caller and tool');
    expect(await gateway.countCalls()).toEqual({});
  });

  test.each([
    ['a host that is no name', { names, change: { setNameServers: ['-'] } }, 'INVALID_INPUT'],
    ['names and a filter', { names, filter: {}, change }, 'INVALID_INPUT'],
    ['no domain that matches', { filter: { contains: 'nothing' }, change }, 'INVALID_INPUT'],
    ['two changes', { names, change: { ...change, privacyProtected: true } }, 'INVALID_INPUT'],
    ['a change of contacts', { names, change: { contact: {} } }, 'INVALID_INPUT'],
  ])('has no token for %s', async (_name, args, code) => {
    const { text, data, isError } = await desk.call('preview_change', args);

    expect(isError).toBe(true);
    expect(data.errors).toMatchObject([{ code, executed: 'NO' }]);
    expect(text).not.toContain('"token"');
  });
});
