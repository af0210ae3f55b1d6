import { parse } from 'graphql';
import { describe, expect, test } from 'vitest';
import { withParts } from '../../../test/support/with-parts.ts';
import { schema } from '../../app/graph.ts';
import { accessScopes, anonymous } from '../../kernel/caller.ts';
import { Fault } from '../../kernel/faults.ts';
import { globalId } from '../../kernel/ids.ts';
import { execute } from '../../lib/graphql-js.ts';
import { systemClock } from '../../lib/system.ts';

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
  const recorder: string[] = [];
  const read = async (call: string, reply: unknown) => {
    calls.push(call);
    if (reply instanceof Error) throw reply;
    return reply;
  };
  const contactIds = { registrant: 1, administrative: 2, technical: failure, billing: null };
  const domain = { name: 'example.com', contactIds };
  const scope = {
    ...{ clock: systemClock, caller: { ...anonymous, scopes: new Set(scopes) } },
    recorder: {
      read: (what: string, name: string, work: () => Promise<unknown>) => {
        recorder.push(`${what} ${name}`);
        return work();
      },
      refused: (what: string, name: string) => void recorder.push(`${what} ${name} refused`),
    },
    ...withParts({
      gate: { requireForAuthCodes: async () => undefined },
      domainReads: {
        load: (name: string) => read('domain', name === domain.name ? domain : null),
        uncached: () => read('uncached', domain),
      },
      contactReads: { load: (name: string) => read(`contacts ${name}`, contacts) },
      tldReads: { catalogue: () => read('catalogue', failure), above: () => read('above', null) },
    }),
  };
  const send = async (text: string) => {
    const result = await execute({ schema, document: parse(text), contextValue: scope });
    const { data, errors = [] } = JSON.parse(JSON.stringify(result));
    const paths: string[] = errors.map(({ path }: { path: string[] }) => path.join('.'));
    return { data, paths, messages: errors.map(({ message }: Error) => message) };
  };
  const people = async (fields: string, of = 'registrant') => {
    const { data, paths } = await send(
      `{ domain(name: "example.com") { contacts { ${of} { ${fields} } } } }`,
    );
    return { contact: data.domain.contacts[of], paths };
  };
  return { send, people, calls, recorder };
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

  test.each<[string, object | null, string, number | null]>([
    ['that the reply lacks', { registrant: null }, 'registrant', 1],
    ['of a reply without contacts', null, 'registrant', 1],
    ['of a reply without contacts, which has no number', null, 'billing', null],
    ['whose number cannot be read', { technical: null }, 'technical', null],
  ])('%s is an error of its fields', async (_what, contacts, role, upstreamId) => {
    const { send, people } = start(contacts);
    const { contact, paths } = await people('email phone { number } upstreamId', role);

    expect(contact).toEqual({ upstreamId, email: null, phone: null });
    expect(paths).toEqual(
      expect.arrayContaining(['email', 'phone'].map((field) => `domain.contacts.${role}.${field}`)),
    );
    const id = globalId('Contact', `example.com/${role}`);
    const node = await send(`{ node(id: "${id}") { ... on Contact { email } } }`);
    expect(node.paths).toEqual(['node.email']);
    expect(node.messages).toEqual([`The registrar returned no ${role} contact.`]);
  });

  test('that the reply lacks and that has no number is null', async () => {
    expect(await start().people('role email', 'billing')).toEqual({ contact: null, paths: [] });
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
    const { people, recorder } = start();

    expect((await people('authCode')).contact).toEqual({ authCode: 'secret' });
    expect(recorder).toEqual(['authcode.read example.com']);
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
  // The number begins with the trunk prefix or with the country code.
  ['90', '05321234567', '+905321234567'],
  ['90', '905321234567', '+905321234567'],
  ['90', '+90 532 123 45 67', '+905321234567'],
  ['90', '00905321234567', '+905321234567'],
  ['0090', '5321234567', '+905321234567'],
  ['44', '(0)20 7946 0101', '+442079460101'],
  ['1', '12025550123', '+12025550123'],
  ['39', '036 384331', '+39036384331'],
  // It has an extension.
  ['1', '2025550123 ext 45', '+12025550123'],
  ['90', '532 123 45 67 #12', '+905321234567'],
  // The two contradict each other, or are no number of the country.
  ['90', '+12025550123', null],
  ['1', '5550123', null],
  ['999', '123456', null],
  ['0', '123456', null],
  ['49', 'call 030 123456 now', null],
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
