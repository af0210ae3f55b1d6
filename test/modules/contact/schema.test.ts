import { execute, parse } from 'graphql';
import { describe, expect, test } from 'vitest';
import { accessScopes, anonymous } from '../../../src/kernel/caller.ts';
import { Fault } from '../../../src/kernel/faults.ts';
import { systemClock } from '../../../src/lib/system.ts';
import { schema } from '../../../src/modules/index.ts';
import { globalId } from '../../../src/schema/global-id.ts';

const failure = new Fault('UPSTREAM_TIMEOUT');

const person = (changes: object = {}) => ({
  ...{ firstName: 'Ada', lastName: 'L', company: null, email: 'a@b.example', type: 'Contact' },
  ...{ phone: { countryCode: '49', number: '30 123-456' }, fax: null, status: null },
  ...{ address: { city: 'Berlin' }, additional: [{ key: 'a', value: 'b' }], authCode: 'secret' },
  ...changes,
});

/** An account with one domain. `contacts` is the reply of `getcontacts`. */
function start(
  contacts: object | null | Error = { registrant: person(), billing: null },
  scopes = Object.keys(accessScopes),
) {
  const calls: string[] = [];
  const audited: string[] = [];
  const read = async (call: string, reply: unknown) => {
    calls.push(call);
    if (reply instanceof Error) throw reply;
    return reply;
  };
  const contactIds = { registrant: 1, administrative: 2, technical: failure, billing: null };
  const domain = { name: 'example.com', contactIds };
  const scope = {
    ...{ clock: systemClock, caller: { ...anonymous, scopes: new Set(scopes) } },
    audited: (what: string, name: string, work: () => Promise<unknown>) => {
      audited.push(`${what} ${name}`);
      return work();
    },
    loaders: {
      domains: {
        load: (name: string) => read('domain', name === domain.name ? domain : null),
        uncached: () => read('uncached', domain),
      },
      contacts: { load: (name: string) => read(`contacts ${name}`, contacts) },
      tlds: { catalogue: () => read('catalogue', failure), above: () => read('above', null) },
    },
  };
  const send = async (text: string) => {
    const result = await execute({ schema, document: parse(text), contextValue: scope });
    const { data, errors = [] } = JSON.parse(JSON.stringify(result));
    return { data, paths: errors.map(({ path }: { path: string[] }) => path.join('.')) };
  };
  const people = async (fields: string, of = 'registrant') => {
    const { data, paths } = await send(
      `{ domain(name: "example.com") { contacts { ${of} { ${fields} } } } }`,
    );
    return { contact: data.domain.contacts[of], paths };
  };
  return { send, people, calls, audited };
}

describe('a contact', () => {
  test('has the values of getcontacts, for one call beside that of the domain', async () => {
    const { people, calls } = start();

    expect(
      await people('role upstreamId firstName email address { city } additional { key value }'),
    ).toEqual({
      contact: {
        ...{ role: 'REGISTRANT', upstreamId: 1, firstName: 'Ada', email: 'a@b.example' },
        ...{ address: { city: 'Berlin' }, additional: [{ key: 'a', value: 'b' }] },
      },
      paths: [],
    });
    expect(new Set(calls)).toEqual(new Set(['contacts example.com', 'domain']));
  });

  test('has its id, role and number without a call', async () => {
    const { people, calls } = start();
    await people('__typename id role upstreamId', 'billing');

    expect(calls).toEqual(['domain']);
  });

  test.each<[string, object | null]>([
    ['that the reply lacks', { registrant: null }],
    ['of a domain without contacts', null],
  ])('%s is null in every field but its number', async (_what, contacts) => {
    expect(await start(contacts).people('upstreamId email phone { number }')).toEqual({
      contact: { upstreamId: 1, email: null, phone: null },
      paths: [],
    });
  });

  test('that cannot be read is an error of the fields that need the call', async () => {
    const { contact, paths } = await start(failure).people('upstreamId email type');

    expect(contact).toEqual({ upstreamId: 1, email: null, type: null });
    expect(paths.toSorted()).toEqual(
      ['email', 'type'].map((field) => `domain.contacts.registrant.${field}`),
    );
  });

  test('with a value that cannot be read has the others', async () => {
    const { contact, paths } = await start({ registrant: person({ email: failure }) }).people(
      'email firstName',
    );

    expect(contact).toEqual({ email: null, firstName: 'Ada' });
    expect(paths).toEqual(['domain.contacts.registrant.email']);
  });

  test('that is a fault itself is an error of its fields', async () => {
    const { contact, paths } = await start({ registrant: failure }).people('upstreamId email');

    expect(contact).toEqual({ upstreamId: 1, email: null });
    expect(paths).toHaveLength(1);
  });

  test('has an auth code whose read is audited', async () => {
    const { people, audited } = start();

    expect((await people('authCode')).contact).toEqual({ authCode: 'secret' });
    expect(audited).toEqual(['authcode.read example.com']);
  });
});

test.each([
  ['49', '30 123-456', '+4930123456'],
  ['+49', '(30) 123', '+4930123'],
  [null, '30123', null],
  ['', '30123', null],
  ['49', 'none', null],
  ['49', '1234567890123', '+491234567890123'],
  ['49', '12345678901234', null],
])('the phone number %s %s is %s in E.164', async (countryCode, number, e164) => {
  const phone = { countryCode, number };
  const { people } = start({ registrant: person({ phone }) });

  expect((await people('phone { countryCode number e164 }')).contact).toEqual({
    phone: { ...phone, e164 },
  });
});

describe('the id of a contact', () => {
  const node = (key: string, fields = 'id ... on Contact { role upstreamId email }') =>
    `{ node(id: "${globalId('Contact', key)}") { ${fields} } }`;

  test('returns the same contact', async () => {
    const { send, people } = start();
    const { contact } = await people('id');

    expect(
      (await send(`{ node(id: "${contact.id}") { ... on Contact { role email } } }`)).data,
    ).toEqual({
      node: { role: 'REGISTRANT', email: 'a@b.example' },
    });
  });

  test('has an error of each field when the contacts cannot be read', async () => {
    const { data, paths } = await start(failure).send(node('example.com/registrant'));

    expect(data.node).toMatchObject({ role: 'REGISTRANT', upstreamId: 1, email: null });
    expect(paths).toEqual(['node.email']);
  });

  test.each([
    ['an unknown role', 'example.com/owner', []],
    ['no role', 'example.com', []],
    ['no domain', 'a b/registrant', []],
    ['a domain that the account does not have', 'other.com/registrant', ['domain']],
  ])('of %s is null', async (_what, key, expected) => {
    const { send, calls } = start();

    expect((await send(node(key))).data).toEqual({ node: null });
    expect(calls).toEqual(expected);
  });
});

describe('a domain', () => {
  test('has its contacts and its TLD read at the same time as itself', async () => {
    const { send, calls } = start();
    await send(`{ domain(name: "example.com") { tld { name } contacts { billing { email } } } }`);

    expect(calls.slice(0, 3)).toEqual(['contacts example.com', 'catalogue', 'domain']);
  });

  test.each([
    ['contacts:read', ['contacts example.com', 'domain']],
    ['domains:check', ['catalogue', 'domain']],
  ])('has nothing read before it without the scope: %s', async (scope, expected) => {
    const { send, calls } = start({}, ['domains:read', scope]);
    await send(`{ domain(name: "example.com") {
      renewalQuote(period: 1) { period } contacts { billing { email } } } }`);

    expect(calls.slice(0, 2)).toEqual(expected);
  });

  test('whose contacts and TLD are not requested is one call', async () => {
    const { send, calls } = start();
    await send('{ domain(name: "example.com") { name contacts { billing { id } } } }');
    await send('{ domain(name: "example.com", refresh: true) { name } }');

    expect(calls).toEqual(['domain', 'uncached']);
  });
});
