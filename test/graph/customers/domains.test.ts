import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { apiKeysOf, by } from '../../access/keys.ts';
import { csvObjects } from '../../support/csv.ts';
import { startTestGateway } from '../../support/gateway.ts';
import { portfolioNames } from '../reads/reads.ts';

// biome-ignore lint/suspicious/noExplicitAny: a test looks into responses of any shape
type Payload = any;

const gateway = await startTestGateway({
  sandboxDomains: 60,
  accountToken: null,
  env: {
    DOMAIN_MAX_AGE_SECONDS: '600',
    API_KEYS: apiKeysOf(
      {
        staff: ['domains:read', 'domains:write', 'customers:write'],
        reader: ['domains:read'],
        own: ['domains:read'],
      },
      { own: 'Mu\u0308ller' },
    ),
  },
});
afterAll(() => gateway.close());
beforeEach(() => gateway.resetCalls());

const names = portfolioNames(60).toSorted();
const [one = '', two = '', three = '', four = ''] = names;

async function ask(document: string, variables: object = {}, key = 'staff'): Promise<Payload> {
  const { data, errors } = await gateway.query(document, variables, by(key));
  expect(errors).toBeUndefined();
  return data;
}

const fields = 'name customer labels { name value }';
const payload = `domains { ${fields} } errors { code message path executed retryable }`;
const setCustomer = async (input: object) =>
  (
    await ask(
      `mutation ($input: SetDomainCustomerInput!) { setDomainCustomer(input: $input) { ${payload} } }`,
      { input },
    )
  ).setDomainCustomer;
const label = async (input: object) =>
  (
    await ask(
      `mutation ($input: LabelDomainsInput!) { labelDomains(input: $input) { ${payload} } }`,
      { input },
    )
  ).labelDomains;
const found = async (filter: object) => {
  const { domains, domainStats } = await ask(
    `query ($filter: DomainFilter) { domains(first: 100, filter: $filter) { totalCount nodes { name } }
      domainStats(filter: $filter) { totalCount } }`,
    { filter },
  );
  expect(domains.totalCount).toBe(domainStats.totalCount);
  return domains.nodes.map(({ name }: Payload) => name);
};

// Every domain is known afterwards, and the list is cached.
await ask('{ domains { totalCount } }');

test('domains have the customer and the labels that were set, without an upstream call', async () => {
  const set = await setCustomer({ names: [one.toUpperCase(), two, `${one}.`], customer: 'acme' });
  const labelled = await label({
    names: [one, three],
    set: [{ name: 'team', value: 'blue sky' }, { name: 'Café' }],
  });

  expect(set).toEqual({
    domains: [one, two].map((name) => ({ name, customer: 'acme', labels: [] })),
    errors: [],
  });
  expect(labelled).toMatchObject({ errors: [], domains: [{ name: one }, { name: three }] });
  const { a, b } = await ask(
    `{ a: domains(first: 3) { nodes { ${fields} } } b: domain(name: "${one}") { ${fields} } }`,
  );
  const labels = [
    { name: 'Café', value: '' },
    { name: 'team', value: 'blue sky' },
  ];
  expect(a.nodes).toEqual([
    { name: one, customer: 'acme', labels },
    { name: two, customer: 'acme', labels: [] },
    { name: three, customer: null, labels },
  ]);
  expect(b).toEqual(a.nodes[0]);
  expect(await gateway.countCalls()).toEqual({});
});

test('a label is replaced and removed by its name, and a domain is given back by null', async () => {
  await label({ names: [four], set: [{ name: 'x', value: '1' }, { name: 'y' }] });
  await setCustomer({ names: [four], customer: 'acme' });
  const changed = await label({ names: [four], set: [{ name: 'x', value: '2' }], remove: ['y'] });
  expect(changed.domains).toEqual([
    { name: four, customer: 'acme', labels: [{ name: 'x', value: '2' }] },
  ]);

  await label({ names: [four], remove: ['x'] });
  expect((await setCustomer({ names: [four], customer: null })).domains).toEqual([
    { name: four, customer: null, labels: [] },
  ]);
});

describe('nothing is changed', () => {
  const unknown = 'not-of-this-account.com';
  const input = (more: object) => ({ names: [one, four], ...more });
  const many = (count: number) =>
    Array.from({ length: count }, (_, at) => ({ name: `label ${at}`, value: '' }));
  const printable = '1 to 64 printable characters';

  test('by a domain that the account does not have, for which the list is read once', async () => {
    await setCustomer({ names: [four], customer: 'before' });
    await gateway.resetCalls();
    const payloads = [
      await setCustomer(input({ names: [four, unknown], customer: 'acme' })),
      await label({ names: [four, unknown], set: [{ name: 'x' }] }),
    ];

    for (const { domains, errors } of payloads) {
      expect(domains).toBeNull();
      expect(errors).toEqual([
        {
          code: 'NOT_FOUND',
          message: `The account has no domain ${unknown}.`,
          path: ['input', 'names', '1'],
          executed: 'NO',
          retryable: false,
        },
      ]);
    }
    expect((await gateway.countCalls()).getdomainlist ?? 0).toBe(0);
    const { domains } = await ask(
      `query ($filter: DomainFilter) { domains(filter: $filter) { nodes { ${fields} } } }`,
      { filter: { contains: four } },
    );
    expect(domains.nodes).toEqual([{ name: four, customer: 'before', labels: [] }]);
  });

  test.each<[string, () => Promise<Payload>, [path: readonly string[], text: string][]]>([
    [
      'a customer that is no text',
      () => setCustomer(input({ customer: ' acme' })),
      [[['customer'], `A customer has ${printable}`]],
    ],
    [
      'several faults at once',
      () => setCustomer({ names: ['no name', one, '-.com'], customer: '' }),
      [
        [['customer'], printable],
        [['names', '0'], 'no name'],
        [['names', '2'], 'hyphen'],
      ],
    ],
    ['no domain', () => setCustomer({ names: [], customer: 'a' }), [[['names'], '1 to 500']]],
    [
      'too many domains',
      () => setCustomer({ names: Array(501).fill(one), customer: 'a' }),
      [[['names'], '"names" has 501']],
    ],
    ['no label', () => label(input({ set: [] })), [[[], 'Send labels in "set" or "remove".']]],
    [
      'labels that are no text',
      () => label(input({ set: [{ name: '' }, { name: 'a', value: 'x'.repeat(129) }] })),
      [
        [['set', '0'], 'A label has a name of'],
        [['set', '1'], 'A label has a name of'],
      ],
    ],
    [
      'a label twice',
      () => label(input({ set: [{ name: 'a' }, { name: 'b' }], remove: ['b', '\n'] })),
      [
        [['set', '1'], '"b" occurs twice'],
        [['remove', '1'], 'A label has a name of'],
      ],
    ],
    [
      'too many labels at once',
      () => label(input({ set: many(21) })),
      [[['set'], '"set" has at most 20 labels; it has 21.']],
    ],
    [
      'too many labels of a domain',
      async () => {
        await label({ names: [four], set: many(20) });
        return label(input({ set: [{ name: 'x' }, { name: 'y' }], remove: ['label 1'] }));
      },
      [[['names'], `at most 20 labels; ${four} would have 21`]],
    ],
  ])('by %s', async (_what, send, expected) => {
    const { domains, errors } = await send();
    expect(domains).toBeNull();
    expect(errors).toEqual(
      expected.map(([path, text]) =>
        expect.objectContaining({
          code: 'INVALID_INPUT',
          path: ['input', ...path],
          message: expect.stringContaining(text),
        }),
      ),
    );
  });

  test('without the scope', async () => {
    const { errors } = await gateway.query(
      `mutation { setDomainCustomer(input: { names: ["${one}"], customer: "b" }) { errors { code } } }`,
      {},
      by('reader'),
    );
    expect(errors).toMatchObject([{ extensions: { code: 'FORBIDDEN' } }]);
  });
});

describe('a filter', () => {
  test('selects the domains of a customer and of labels, with the other conditions', async () => {
    expect(await found({ customer: 'acme' })).toEqual([one, two]);
    expect(await found({ customer: 'unknown' })).toEqual([]);
    expect(await found({ labels: [{ name: 'team' }] })).toEqual([one, three]);
    expect(await found({ labels: [{ name: 'team', value: 'red' }] })).toEqual([]);
    const both = [{ name: 'team', value: 'blue sky' }, { name: 'Café' }];
    expect(await found({ labels: both, customer: 'acme' })).toEqual([one]);
    expect(await found({ customer: 'acme', contains: two })).toEqual([two]);
    expect(await found({ labels: [], customer: null })).toHaveLength(names.length);
    expect(await gateway.countCalls()).toEqual({});
  });

  test('finds a customer and a label in each Unicode form, in which they are stored once', async () => {
    const last = names.at(-1) ?? '';
    const [composed, decomposed] = ['Mu\u0308ller'.normalize('NFC'), 'Mu\u0308ller'];
    await setCustomer({ names: [three], customer: decomposed });
    await setCustomer({ names: [last], customer: composed });
    const { domains } = await label({
      names: [last],
      set: [{ name: 'Cafe\u0301', value: 'e\u0301' }],
    });

    expect(domains[0]).toMatchObject({ customer: composed });
    expect(await found({ customer: composed })).toEqual([three, last]);
    expect(await found({ customer: decomposed })).toEqual([three, last]);
    const accented = [{ name: 'Café', value: 'é' }];
    expect(await found({ labels: accented })).toEqual([last]);
    expect(await found({ labels: [{ name: 'Cafe\u0301', value: 'e\u0301' }] })).toEqual([last]);
    expect((await label({ names: [last], remove: ['Cafe\u0301'] })).domains[0].labels).toEqual([]);
    const { reader } = await ask(
      '{ reader: domains(filter: { customer: "Müller" }) { totalCount } }',
      {},
      'own',
    );
    expect(reader.totalCount).toBe(2);
    await setCustomer({ names: [three, last], customer: null });
  });

  test.each([
    [{ customer: '' }, 'A customer has 1 to 64'],
    [{ customer: 'acme\u00a0' }, 'A customer has 1 to 64'],
    [{ labels: [{ name: 'a'.repeat(65) }] }, 'A label has a name'],
    [{ labels: Array(21).fill({ name: 'a' }) }, 'A filter has at most 20 labels; it has 21.'],
  ])('that is not valid is refused: %j', async (filter, sentence) => {
    const { errors } = await gateway.query(
      'query ($filter: DomainFilter) { domains(filter: $filter) { totalCount } }',
      { filter },
      by('reader'),
    );
    expect(errors).toMatchObject([
      { message: expect.stringContaining(sentence), extensions: { code: 'INVALID_INPUT' } },
    ]);
  });

  test('selects the domains of a bulk change', async () => {
    const { previewBulkChange } = await ask(
      `{ previewBulkChange(filter: { customer: "acme" }, change: { privacyProtected: true }) {
        count sample { domainName } errors { code } } }`,
    );
    const { changeDomains } = await ask(
      `mutation { changeDomains(input: { idempotencyKey: "acme", expectedCount: 1, change: { sync: true }
        filter: { customer: "acme", labels: [{ name: "team" }] } }) {
          bulkChange { items { domainName } } errors { message } } }`,
    );

    expect(previewBulkChange).toEqual({
      count: 2,
      sample: [one, two].map((domainName) => ({ domainName })),
      errors: [],
    });
    expect(changeDomains).toEqual({
      bulkChange: { items: [{ domainName: one }] },
      errors: [],
    });
  });

  test('selects the rows of an export', async () => {
    const rowsOf = async (query: string) => {
      const response = await fetch(`${gateway.url}/export/domains.csv${query}`, {
        headers: by('reader'),
      });
      expect(response.status === 200 ? '' : await response.clone().text()).toBe('');
      return csvObjects(await response.text());
    };
    const all = await rowsOf('');
    expect(all).toHaveLength(names.length);
    expect(all.find(({ name }) => name === one)).toMatchObject({
      customer: 'acme',
      labels: '{"Café":"","team":"blue sky"}',
    });
    expect((await rowsOf('?customer=acme')).map(({ name }) => name)).toEqual([one, two]);
    const label = `label=team=blue%20sky&label=${encodeURIComponent('Café')}`;
    expect((await rowsOf(`?${label}&customer=acme`)).map(({ name }) => name)).toEqual([one]);
    expect(await rowsOf('?label=team=blue')).toEqual([]);

    const find = async (query: string) => (await rowsOf(query)).map(({ name }) => name);
    expect(await find('?label=a=b=c')).toEqual([]);
    for (const label of [
      { name: 'a=b', value: 'c' },
      { name: 'a', value: 'b=c' },
    ]) {
      const input = { names: [label.name === 'a' ? two : one], set: [label] };
      const { labelDomains } = await ask(
        'mutation ($input: LabelDomainsInput!) { labelDomains(input: $input) { errors { message } } }',
        { input },
      );
      expect(labelDomains.errors).toEqual([]);
    }
    expect(await find('?label=a=b=c')).toEqual([one, two]);
    expect(await find('?label=a=b')).toEqual([one]);
    expect(await find('?label=a=b&customer=other')).toEqual([]);
    const chosen = all.filter(({ name, state }) => name?.endsWith('.com') && state === 'ACTIVE');
    expect(await find('?tld=com&state=ACTIVE')).toEqual(chosen.map(({ name }) => name));
    expect(await find(`?contains=${one}`)).toEqual([one]);
    expect(await find('?expiresBefore=2000-01-01')).toEqual([]);
    expect(await find('?expiresAfter=2000-01-01T10:00')).toEqual(
      all.filter(({ expiresAt }) => expiresAt).map(({ name }) => name),
    );
    const latest = all
      .filter(({ expiresAt }) => expiresAt)
      .map(({ name, expiresAt }) => [expiresAt, name]);
    latest.sort().reverse();
    expect((await find('?orderBy=EXPIRES_AT&direction=DESC')).slice(0, latest.length)).toEqual(
      latest.map(([, name]) => name),
    );
    const locked = all.filter(({ transferLocked }) => transferLocked === 'true');
    expect(await find('?transferLocked=true')).toEqual(locked.map(({ name }) => name));
    const host = all[0]?.nameServers?.split(' ')[0] ?? '';
    const hosted = all.filter(({ nameServers }) => nameServers?.split(' ').includes(host));
    expect(await find(`?nameServer=${host.toUpperCase()}`)).toEqual(hosted.map(({ name }) => name));
    expect(await find('?privacyProtected=true&customer=other')).toEqual([]);
    const refused = [
      ...['transferLocked=yes', 'nameServer=x', 'orderBy=PRICE', 'direction=desc'],
      ...['tld=com,net', 'state=OK', 'expiresAfter=2026-02-30', 'label=x%20'],
    ];
    for (const query of refused) {
      const { status } = await fetch(`${gateway.url}/export/domains.csv?${query}`, {
        headers: by('reader'),
      });
      expect(`${query} ${status}`).toBe(`${query} 400`);
    }

    const wrong = await fetch(`${gateway.url}/export/domains.csv?custmer=acme`, {
      headers: by('reader'),
    });
    expect(wrong.status).toBe(400);
    expect((await wrong.json()).errors[0].message).toBe(
      'This file has the parameters customer, label, contains, tld, state, expiresAfter, expiresBefore, transferLocked, privacyProtected, nameServer, orderBy, direction; "custmer" is none.',
    );
  });
});
