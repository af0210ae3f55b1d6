import { afterAll, beforeAll, expect, test } from 'vitest';
import type { DomainName } from '../../../src/kernel/domain-name.ts';
import { by } from '../../access/keys.ts';
import { csvObjects, parseCsv } from '../../support/csv.ts';
import { openStream } from '../../support/event-stream.ts';
import { inJournal } from '../../support/stop-switch.ts';
import type { Payload } from '../purchases/shop.ts';
import { type BoundShop, fillBolt, marks, openBoundShop } from './bound-shop.ts';

let opened: BoundShop;
beforeAll(async () => {
  opened = await openBoundShop();
  await fillBolt(opened);
});
afterAll(() => opened?.close());

const send = (who: string, document: string, variables = {}): Promise<Payload> =>
  opened.send(who, document, variables);
const calls = () => opened.gateway.countCalls();

test('counts, totals and coverage are those of the customer', { tags: ['C2'] }, async () => {
  const document = `{ domains { totalCount coverage { known listed complete } } domainStats { totalCount byTld { value count } }
    purchases { totalCount } orders { totalCount } bulkChanges { totalCount } events(filter: { types: [NAME_SERVERS_CHANGED, PURCHASE_SETTLED] }) { totalCount } }`;
  const [acme, bolt, reseller] = [
    await send('acme', document),
    await send('bolt', document),
    await send('reseller', document),
  ];

  expect(acme).toEqual({
    domains: { totalCount: 2, coverage: { known: 2, listed: 2, complete: true } },
    domainStats: { totalCount: 2, byTld: [{ value: 'com', count: 2 }] },
    ...{ purchases: { totalCount: 0 }, orders: { totalCount: 0 } },
    ...{ bulkChanges: { totalCount: 0 }, events: { totalCount: 0 } },
  });
  expect(bolt).toMatchObject({
    domains: { totalCount: 3, coverage: { known: 3, listed: 3 } },
    ...{ purchases: { totalCount: 2 }, orders: { totalCount: 1 } },
    ...{ bulkChanges: { totalCount: 1 }, events: { totalCount: 3 } },
  });
  expect(reseller.domains.totalCount).toBeGreaterThan(40);
  // A stored object of the samples may be one too.
  expect(reseller.purchases.totalCount).toBeGreaterThanOrEqual(2);
});

test('customers have idempotency keys of their own, and a purchase is for the customer of its caller', async () => {
  const [acme, bolt] = await Promise.all([
    opened.register('acme', 'acme-same-key.com', { idempotencyKey: 'same' }),
    opened.register('bolt', 'bolt-same-key.com', { idempotencyKey: 'same' }),
  ]);

  for (const [payload, name, customer] of [
    [acme, 'acme-same-key.com', 'acme'],
    [bolt, 'bolt-same-key.com', 'bolt'],
  ]) {
    const purchase = { key: 'same', state: 'SUCCEEDED', domain: { name, customer } };
    expect(payload).toMatchObject({ purchase, keyUsed: true, replayed: false, errors: [] });
  }
  const lookup = '{ purchase(by: { key: "same" }) { id domainName } }';
  const { id } = acme.purchase;
  expect(await send('acme', lookup)).toEqual({ purchase: { id, domainName: 'acme-same-key.com' } });
  expect(await send('reseller', lookup)).toEqual({ purchase: null });
  const again = await opened.register('acme', 'acme-same-key.com', { idempotencyKey: 'same' });
  expect(again).toMatchObject({ replayed: true, purchase: { id } });
});

test('exports have the domains and purchases of the customer', { tags: ['C2'] }, async () => {
  const month = new Date().toISOString().slice(0, 7);
  const read = async (who: string, file: string) => {
    const response = await fetch(`${opened.gateway.url}/export/${file}`, { headers: by(who) });
    expect(response.status).toBe(200);
    return response.text();
  };
  const { domains, purchases } = await send(
    'acme',
    '{ domains(first: 100) { nodes { name } } purchases(first: 100) { nodes { domainName } } }',
  );

  for (const file of [
    'domains.csv',
    'domains.jsonl',
    'purchases.csv',
    `statement.csv?month=${month}`,
  ]) {
    const [ofAcme, ofReseller] = [await read('acme', file), await read('reseller', file)];
    expect(marks.filter((mark) => ofAcme.includes(mark))).toEqual([]);
    expect(ofAcme).not.toContain('bolt');
    expect(ofReseller).toContain('bolt');
  }
  const names = (rows: readonly (readonly string[])[], column: number) =>
    rows.slice(1).map((row) => row[column]);
  expect(names(parseCsv(await read('acme', 'domains.csv')), 0)).toEqual(
    domains.nodes.map(({ name }: Payload) => name),
  );
  expect(names(parseCsv(await read('acme', 'purchases.csv')), 2)).toEqual(
    purchases.nodes.map(({ domainName }: Payload) => domainName),
  );
});

const notAvailable = (name: string) => ({
  ...{ code: 'NOT_AVAILABLE', message: `${name} is not available for registration.` },
  ...{ path: ['input', 'domain'], executed: 'NO' },
});

test('of two customers that buy a name at once one gets it, and the other the response of a taken name', {
  tags: ['C2'],
}, async () => {
  const name = 'bought-by-both.com';
  await opened.gateway.resetCalls();
  const payloads = await Promise.all(['acme', 'bolt'].map((who) => opened.register(who, name)));
  const [winner, loser] = payloads.toSorted(({ purchase }) =>
    purchase?.state === 'SUCCEEDED' ? -1 : 1,
  );

  expect(winner).toMatchObject({ purchase: { state: 'SUCCEEDED' }, errors: [] });
  expect(loser).toMatchObject({ errors: [notAvailable(name)] });
  expect(JSON.stringify(loser)).not.toContain(winner.purchase.id);
  expect((await calls()).registerdomain).toBe(1);
});

test('a purchase in progress makes its name unavailable for other customers', async () => {
  const name = 'still-buying.com';
  await opened.shop.arm('hold-before', { action: 'registerdomain' });
  const buying = opened.register('acme', name);
  await expect.poll(() => opened.gateway.admin('GET', '/held')).toEqual({ held: 1 });

  const refused = await opened.register('bolt', name);
  await opened.gateway.admin('POST', '/release', {});

  expect(refused).toMatchObject({ purchase: null, errors: [notAvailable(name)] });
  expect((await buying).purchase.state).toBe('SUCCEEDED');
});

test('a transfer of a domain of another customer is not sent, and has the response to a wrong auth code of an unknown name', {
  tags: ['C1'],
}, async () => {
  const errors = 'errors { code message path executed retryable upstreamCode upstreamMessage }';
  const facts = `state key period price { amount } submittedAt transfer { stage } nextStep ${errors}`;
  const document = `mutation ($input: TransferDomainInput!) { transferDomain(input: $input) {
    purchase { id ${facts} } keyUsed replayed ${errors} } }`;
  const names = { foreign: 'private-demo.net', unknown: 'outside-customer.net' };
  const responsesTo = async (domain: string) => {
    await opened.gateway.resetCalls();
    const input = { domain, authCode: 'No-Such-Code-1', idempotencyKey: `code of ${domain}` };
    const first = (await send('acme', document, { input })).transferDomain;
    const sent = await calls();
    const again = (await send('acme', document, { input })).transferDomain;
    const { id } = first.purchase;
    const later = await send('acme', `{ purchase(by: { id: "${id}" }) { ${facts} } }`);
    const file = await fetch(`${opened.gateway.url}/export/purchases.csv`, { headers: by('acme') });
    const row = csvObjects(await file.text()).find((one) => one.id === id);
    const { createdAt: _, settledAt: __, ...values } = row ?? {};
    const text = JSON.stringify({ first, again, later, values });
    return { first, sent, id, text: text.replaceAll(id, 'id').replaceAll(domain, 'name') };
  };
  const foreign = await responsesTo(names.foreign);
  const unknown = await responsesTo(names.unknown);

  expect(foreign.first).toMatchObject({
    purchase: { state: 'FAILED', submittedAt: null },
    errors: [{ code: 'AUTH_CODE_INVALID', path: ['input', 'authCode'], executed: 'NO' }],
  });
  expect(foreign.text).toBe(unknown.text);
  // Only a transfer that is sent can succeed, and one of a domain of the account must not be sent: it could be paid.
  const { transferdomain, getdetails = 0, ...others } = unknown.sent;
  expect(transferdomain).toBe(1);
  expect(foreign.sent).toEqual({ ...others, getdetails: getdetails - 1 });
  await inJournal(opened.env, async (journal, account) => {
    const [stored] = await journal.list(account, {
      filter: { domain: names.unknown as DomainName },
      limit: 1,
    });
    expect(stored).toMatchObject({
      submittedAt: expect.any(Date),
      fault: { upstream: { code: 'API_2303_ERROR' } },
    });
  });
});

const targets = ['private-demo.net', 'outside-shop.com', 'unlocked-demo.com'];
test.each([
  ['privacy', { names: targets, change: { privacyProtected: true } }, 'modifyprivacystatus'],
  ['hosts', { names: targets, change: { addNameServer: 'ns9.bulk.net' } }, 'modifynameserver'],
  [
    'items',
    {
      change: {
        items: targets.map((domain) => ({ domain, nameServers: ['ns1.bulk.net', 'ns2.bulk.net'] })),
      },
    },
    'modifynameserver',
  ],
])(
  'a bulk change of %s changes domains of the customer only, and others end as unknown ones without a call',
  async (key, chosen, action) => {
    await opened.gateway.resetCalls();
    const input = { idempotencyKey: `bulk ${key}`, expectedCount: 3, ...chosen };
    const { changeDomains } = await send(
      'acme',
      'mutation ($input: ChangeDomainsInput!) { changeDomains(input: $input) { bulkChange { id } errors { message } } }',
      { input },
    );
    const items = async () =>
      (
        await send(
          'acme',
          `{ bulkChange(by: { id: "${changeDomains.bulkChange.id}" }) { items(first: 3) { state before { text } errors { code } } } }`,
        )
      ).bulkChange.items;

    const missing = { state: 'FAILED', before: null, errors: [{ code: 'NOT_FOUND' }] };
    await expect
      .poll(items, { timeout: 10_000 })
      .toEqual([missing, missing, { state: 'SUCCEEDED', before: expect.anything(), errors: [] }]);
    expect(await calls()).toEqual({ getdetails: 1, [action]: 1 });
  },
);

test('a domain that moves to another customer is readable for this one only, and its earlier events remain', {
  tags: ['C2'],
}, async () => {
  const name = 'moving-domain.com';
  const { purchase } = await opened.register('acme', name);
  const settled = { type: 'PURCHASE_SETTLED' };
  const document = `{ domain(name: "${name}") { name events { nodes { type } } } domains(filter: { contains: "${name}" }) { totalCount }
    events(filter: { domain: "${name}" }) { nodes { type } } node(id: "${purchase.id}") { id } }`;
  const none = { domain: null, domains: { totalCount: 0 }, events: { nodes: [] }, node: null };
  await expect
    .poll(() => send('acme', document), { timeout: 10_000 })
    .toEqual({
      domain: { name, events: { nodes: [settled] } },
      domains: { totalCount: 1 },
      ...{ events: { nodes: [settled] }, node: { id: purchase.id } },
    });
  expect(await send('bolt', document)).toEqual(none);

  await send(
    'reseller',
    `mutation { setDomainCustomer(input: { names: ["${name}"], customer: "bolt" }) { errors { message } } }`,
  );

  expect(await send('acme', document)).toEqual({
    ...none,
    ...{ events: { nodes: [settled] }, node: { id: purchase.id } },
  });
  expect(await send('bolt', document)).toEqual({
    ...none,
    ...{ domain: { name, events: { nodes: [] } }, domains: { totalCount: 1 } },
  });
  const write = `mutation { setPrivacyProtection(input: { domain: "${name}", privacyProtected: true }) { errors { code } } }`;
  await opened.gateway.resetCalls();
  expect(await send('acme', write)).toEqual({
    setPrivacyProtection: { errors: [{ code: 'NOT_FOUND' }] },
  });
  expect(await calls()).toEqual({});
});

test('a stream and a webhook have the events of the customer or the label only, with cursors that count no others', {
  tags: ['C2'],
}, async () => {
  const { receiver, gateway } = opened;
  const hook = (who: string, path: string, more = '') =>
    send(
      who,
      `mutation { createWebhook(input: { url: "${receiver.url}/${path}" ${more} }) { webhook { id customer deliveredUntil } errors { message } } }`,
    );
  const { createWebhook } = await hook('acme', 'of-acme');
  await hook('reseller', 'for-acme', 'customer: "acme"');
  const set = `labelDomains(input: { names: ["reseller-demo.com"], set: [{ name: "watched", value: "yes" }] })`;
  await send('reseller', `mutation { ${set} { errors { message } } }`);
  await hook('reseller', 'watched', 'labels: [{ name: "watched" }]');
  await hook('reseller', 'unwatched', 'labels: [{ name: "watched", value: "no" }]');
  const cursorOf = (text: string) => JSON.parse(Buffer.from(text, 'base64url').toString());
  expect(createWebhook.webhook.customer).toBe('acme');
  expect(cursorOf(createWebhook.webhook.deliveredUntil)).toEqual([
    expect.not.stringMatching(/^\d+$/),
  ]);
  const query = 'subscription { events { id cursor domainName type } }';
  const stream = await openStream(gateway.url, { query, headers: by('acme') });
  const setHosts = (domain: string, host: string) =>
    `mutation { setNameServers(input: { domain: "${domain}", nameServers: ["ns1.${host}.net", "ns2.${host}.net"] }) { errors { message } } }`;
  await send('bolt', setHosts('private-demo.net', 'bolt-text-two'));
  await send('acme', setHosts('reseller-demo.com', 'acme-hosts'));

  const first = (await stream.next())?.data.data.events;
  stream.hangUp();
  expect(first).toMatchObject({ domainName: 'reseller-demo.com', type: 'NAME_SERVERS_CHANGED' });
  expect(cursorOf(first.cursor)).toEqual([first.id]);
  const bodies = (path: string) =>
    receiver.received.filter((one) => one.path.endsWith(path)).map(({ body }) => JSON.parse(body));
  await expect
    .poll(() => ['/of-acme', '/for-acme', '/watched'].map((path) => bodies(path).length), {
      timeout: 10_000,
    })
    .toEqual([1, 1, 1]);
  expect(bodies('/unwatched')).toEqual([]);
  expect(bodies('of-acme')[0].data).toMatchObject({ id: first.id, cursor: first.cursor });
  expect(bodies('for-acme')[0].data.domainName).toBe('reseller-demo.com');
  expect(bodies('bolt-hook').map(({ data }) => data.domainName)).not.toContain('reseller-demo.com');
  const watched = (value: string) =>
    send(
      'reseller',
      `{ events(filter: { labels: [{ name: "watched", value: "${value}" }] }) { nodes { domainName } } }`,
    );
  expect(
    new Set(
      (await watched('yes')).events.nodes.map(
        ({ domainName }: { domainName: string }) => domainName,
      ),
    ),
  ).toEqual(new Set(['reseller-demo.com']));
  expect((await watched('no')).events.nodes).toEqual([]);
  // The cursor of an event continues after it, for its customer only.
  const after = `{ events(after: "${first.cursor}") { totalCount nodes { id } } }`;
  expect((await send('acme', after)).events.nodes).toEqual([]);
  expect((await gateway.query(after, {}, by('bolt'))).errors).toHaveLength(1);
});

test.each([
  ['acme', 'bolt', 'FORBIDDEN', 'Your key or token is bound to another customer'],
  ['reseller', ' ', 'INVALID_INPUT', 'A customer has 1 to 64 printable characters'],
])(
  'a webhook that %s creates for the customer "%s" is refused',
  async (who, customer, code, message) => {
    const document = `mutation { createWebhook(input: { url: "${opened.receiver.url}/refused", customer: "${customer}" }) {
    webhook { id } errors { code message path } } }`;

    expect((await send(who, document)).createWebhook).toEqual({
      webhook: null,
      errors: [
        {
          code,
          message: expect.stringContaining(message),
          path: ['input', 'customer'],
        },
      ],
    });
  },
);
