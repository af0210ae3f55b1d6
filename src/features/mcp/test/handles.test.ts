import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { apiKeysOf, by } from '../../../../test/access/keys.ts';
import { openShop, order, type Shop, transferCode } from '../../../../test/graph/purchases/shop.ts';
import { ada } from '../../../../test/support/ada.ts';
import { openTestJournal } from '../../../../test/support/empty-journal.ts';
import { newFolder } from '../../../../test/support/folder.ts';
import { startTestGateway } from '../../../../test/support/gateway.ts';
import { createMovedClock } from '../../../../test/support/moved-clock.ts';
import { as, openThree } from '../../../../test/tenants/accounts.ts';
import { anonymous } from '../../../kernel/caller.ts';
import { createHandles } from '../handle.ts';
import { createHandleStore } from '../store.ts';
import { handlesTable } from '../table.ts';
import { type Called, connectModern, firstLine, handleIn, type ToolClient } from './clients.ts';

const scopes = ['domains:spend', 'account:read', 'domains:read', 'domains:write'] as const;
const writes = {
  MCP_WRITES: 'true',
  MAX_BODY_BYTES: '2000000',
  API_KEYS: apiKeysOf({ shop: scopes, rival: scopes }),
};
const registration = (domain: string) => ({ registration: order({ domain }) });

const malformed =
  'A handle is text of 16 lower-case letters and digits, without blanks. Copy the handle of';
const unknown = 'This caller has no such handle, or it has expired after ten minutes.';

/** The two steps, and another tool of a second step. */
const pairs = [
  {
    ...{ tool: 'buy', first: 'quote_purchase', nothing: 'This call bought nothing.' },
    argsOf: (name: string) => registration(`${name}.com`),
    ...{ action: 'registerdomain', other: 'apply_change', noun: 'bought' },
    ...{ member: 'purchase', reader: 'purchase' },
  },
  {
    ...{ tool: 'apply_change', first: 'preview_change', nothing: 'This call changed nothing.' },
    argsOf: (name: string) => ({
      ...{ names: ['reseller-demo.com'] },
      change: { setNameServers: [`ns1.${name}.net`, `ns2.${name}.net`] },
    }),
    ...{ action: 'modifynameserver', other: 'buy', noun: 'changed' },
    ...{ member: 'bulkChange', reader: 'change' },
  },
] as const;

const expectRefused = (called: Called, ...sentences: readonly string[]) => {
  expect(called.isError).toBe(true);
  expect(firstLine(called)).toMatch(/^INVALID_INPUT: .* executed: NO\. retryable: false\.$/);
  for (const sentence of sentences) expect(firstLine(called)).toContain(sentence);
};

interface Booked {
  readonly purchases: readonly { readonly domain: string }[];
}

describe.each(pairs)('a handle for $tool', (pair) => {
  const { tool, first, other, nothing, action, noun, member, reader, argsOf } = pair;
  const clock = createMovedClock();
  let shop: Shop;
  let client: ToolClient;
  let rival: ToolClient;
  beforeAll(async () => {
    shop = await openShop({ accountToken: null, env: writes, clock });
    client = await connectModern(shop.gateway.url, by('shop'));
    rival = await connectModern(shop.gateway.url, by('rival'));
  });
  afterAll(async () => {
    await client?.close();
    await rival?.close();
    await shop?.close();
  });
  const calls = async () => (await shop.gateway.countCalls())[action] ?? 0;
  const handleOf = async (name: string) => {
    const handle = handleIn(await client.call(first, argsOf(name)));
    await shop.gateway.resetCalls();
    return handle;
  };
  /** Calls the tool, and waits until its step has ended. */
  const use = async (handle: string) => {
    const used = await client.call(tool, { handle });
    const { id } = used.data[member];
    const state = async () => (await client.call(reader, { id })).data[member].state;
    await expect.poll(state).not.toBe('RUNNING');
    return used;
  };
  const expectNoCall = async () => expect(await shop.gateway.countCalls()).toEqual({});
  const replaced = (handle: string, at: number) =>
    `${handle.slice(0, at)}${handle[at] === '0' ? '1' : '0'}${handle.slice(at + 1)}`;

  test.each<[string, (handle: string) => unknown, string]>([
    ['null', () => null, malformed],
    ['an empty text', () => '', malformed],
    ['a number', () => 1_234_567_890_123_456, malformed],
    ['true', () => true, malformed],
    ['a list', (handle) => [handle], malformed],
    ['an object', (handle) => ({ handle }), malformed],
    ['JSON as text', (handle) => JSON.stringify({ handle }), malformed],
    ['the handle in quotes', (handle) => JSON.stringify(handle), malformed],
    ['capital letters', (handle) => `${handle.slice(0, -1)}A`, malformed],
    ['a letter that no handle has', (handle) => `${handle.slice(0, -1)}o`, malformed],
    ['blanks around it', (handle) => ` ${handle} `, malformed],
    ['a line break behind it', (handle) => `${handle}\n`, malformed],
    ['a character too few', (handle) => handle.slice(1), malformed],
    ['a character too many', (handle) => `${handle}0`, malformed],
    ['602 characters', () => 'A'.repeat(602), malformed],
    ['a megabyte', (handle) => handle.repeat(62_500), malformed],
    ['another first character', (handle) => replaced(handle, 0), unknown],
    ['another last character', (handle) => replaced(handle, 15), unknown],
  ])('is that handle exactly: %s does nothing', { tags: ['M3'] }, async (_what, of, sentence) => {
    const handle = await handleOf('exactly');

    const refused = await client.call(tool, { handle: of(handle) });

    expectRefused(refused, sentence, nothing, first);
    await expectNoCall();
  });

  test.each<[string, object, string]>([
    ['no handle', { handle: undefined }, malformed],
    ['the input too', argsOf('whole'), 'The arguments are: handle.'],
    ['another price', { maxPrice: { amount: '1', currency: 'USD' } }, 'The arguments are: handle.'],
  ])('is all that the call has: %s does nothing', { tags: ['M3'] }, async (_what, more, words) => {
    const handle = await handleOf('whole');

    expectRefused(await client.call(tool, { handle, ...more }), words);
    await expectNoCall();
  });

  test('is of one caller and one tool', { tags: ['M3'] }, async () => {
    const handle = await handleOf('of-one-caller');

    expectRefused(await rival.call(tool, { handle }), unknown, nothing);
    expectRefused(
      await client.call(other, { handle }),
      `This handle is of \`${first}\`: call \`${tool}\` with it. This call did nothing.`,
    );
    await expectNoCall();
  });

  test('expires after ten minutes', { tags: ['M3'] }, async () => {
    const [early, late] = [await handleOf('in-time'), await handleOf('too-late')];
    clock.advance(9 * 60);
    const inTime = await use(early);
    await shop.gateway.resetCalls();
    clock.advance(60);

    expect(inTime.isError).toBe(false);
    expectRefused(await client.call(tool, { handle: late }), unknown, nothing, first);
    await expectNoCall();
  });

  test('returns its outcome again, also when it has expired and was deleted', {
    tags: ['M4'],
  }, async () => {
    const handle = await handleOf('again');
    const once = await use(handle);
    expect(await calls()).toBe(1);
    await shop.gateway.resetCalls();
    const again = await client.call(tool, { handle });
    clock.advance(11 * 60);
    await client.call(first, argsOf('next'));
    const later = await client.call(tool, { handle });

    for (const one of [again, later]) {
      expect(one.isError).toBe(false);
      expect(one.text).toMatch(
        new RegExp(`^This handle was used before; nothing was ${noun} again\\.\nThe `),
      );
      expect(one.data).toMatchObject({ replayed: true, [member]: { id: once.data[member].id } });
    }
    expectRefused(await rival.call(tool, { handle }), unknown);
    expect(await calls()).toBe(0);
  });
});

describe('the handle of a quote', () => {
  let folder: string;
  const start = (sandboxUrl?: string) =>
    startTestGateway({
      ...{ sandboxDomains: 40, accountToken: null },
      env: {
        ...{ ...writes, DATA_DIR: folder },
        ...(sandboxUrl && { DOMAIN_API_URL: `${sandboxUrl}/domain-api` }),
      },
    });
  beforeEach(async () => {
    folder = await newFolder('handles');
  });
  afterAll(() => rm(folder, { recursive: true }));
  const shopOf = ({ url }: { readonly url: string }) => connectModern(url, by('shop'));
  const quote = async (client: ToolClient, args: object) =>
    handleIn(await client.call('quote_purchase', args));

  test('is for all replicas over one journal, and buys once', { tags: ['M4'] }, async () => {
    const first = await start();
    const second = await start(first.sandboxUrl);
    const clients = [await shopOf(first), await shopOf(second)] as const;
    const handle = await quote(clients[0], registration('of-two-replicas.com'));
    const bought = await Promise.all(
      [...clients, ...clients].map((one) => one.call('buy', { handle })),
    );
    const { registerdomain } = await first.countCalls();
    await Promise.all(clients.map((one) => one.close()));
    await second.close();
    await first.close();

    expect(new Set(bought.map(({ data }) => data.purchase.id)).size).toBe(1);
    expect(bought.filter(({ data }) => !data.replayed)).toHaveLength(1);
    expect(registerdomain).toBe(1);
  });

  test('is valid after a restart, and used after another one', { tags: ['M4'] }, async () => {
    const gateway = await start();
    const call = async (name: string, args: object) => {
      const client = await shopOf(gateway);
      const called = await client.call(name, args);
      await client.close();
      await gateway.restart();
      return called;
    };
    const quoted = await call('quote_purchase', registration('after-a-restart.com'));
    const handle = handleIn(quoted);
    const bought = await call('buy', { handle });
    const again = await call('buy', { handle });
    const { purchases } = (await gateway.admin('GET', '/state?reseller=demo')) as Booked;
    await gateway.close();

    expect(bought.data).toMatchObject({ replayed: false, purchase: { state: 'SUCCEEDED' } });
    expect(again.data).toMatchObject({ replayed: true, purchase: { id: bought.data.purchase.id } });
    expect(purchases.map(({ domain }) => domain)).toEqual(['after-a-restart.com']);
  });

  test('is not in the journal, and its purchase is there only encrypted', {
    tags: ['M3'],
  }, async () => {
    const gateway = await start();
    const client = await shopOf(gateway);
    const transfer = { domain: 'outside-handle.com', authCode: transferCode };
    const handles = [
      await quote(client, { transfer }),
      await quote(client, registration('secret-contact.com')),
    ];
    const files = (await readdir(folder)).filter((name) => name.startsWith('sandbox-journal'));
    const bytes = await Promise.all(files.map((name) => readFile(join(folder, name), 'latin1')));
    await client.close();
    await gateway.close();

    const stored = bytes.join('');
    const secrets = [...handles, transferCode, ada.email, 'secret-contact.com'];
    expect(stored.includes('TABLE handles')).toBe(true);
    expect(secrets.filter((text) => stored.includes(text))).toEqual([]);
  });

  test('buys at most at its highest price', { tags: ['M3'] }, async () => {
    const gateway = await start();
    const journal = await openTestJournal(join(folder, 'sandbox-journal.sqlite'), [handlesTable]);
    const { make } = createHandles(() => ({
      account: 'sandbox:demo',
      clock: createMovedClock(),
      handles: createHandleStore(journal.database),
    }));
    const input = {
      ...order({ domain: 'dearer.com' }),
      maxPrice: { amount: '22.5799', currency: 'USD' },
    };
    const quoted = { member: 'registration', input };
    const { handle } = await make({ ...anonymous, name: 'shop' }, 'buy', quoted);
    const client = await shopOf(gateway);
    const { text, isError } = await client.call('buy', { handle });
    const { registerdomain } = await gateway.countCalls();
    await client.close();
    await journal.close();
    await gateway.close();

    expect(isError).toBe(true);
    expect(text).toMatch(
      /^Nothing was bought\. MAX_PRICE_EXCEEDED: It costs 22\.5800 USD, which is/,
    );
    expect(registerdomain).toBeUndefined();
  });

  test('of one tenant buys nothing for another', { tags: ['M3'] }, async () => {
    const shared = await openThree({ env: { MCP_WRITES: 'true' } });
    const [one, two] = [
      await connectModern(shared.gateway.url, as('one')),
      await connectModern(shared.gateway.url, as('two')),
    ];
    const handle = await quote(one, registration('of-tenant-one.com'));
    await shared.gateway.resetCalls();
    const refused = await two.call('buy', { handle });
    const calls = await shared.gateway.countCalls();
    await Promise.all([one.close(), two.close()]);
    await shared.close();

    expectRefused(refused, unknown);
    expect(calls).toEqual({});
  });
});
