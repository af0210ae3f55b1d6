import { buildSchema, type GraphQLNamedType, parse, printSchema } from 'graphql';
import { afterAll, describe, expect, test } from 'vitest';
import { read } from '../../../../test/graph/reads/reads.ts';
import { startTestGateway } from '../../../../test/support/gateway.ts';
import { schema } from '../../../app/graph.ts';
import { globalId } from '../../../kernel/ids.ts';
import { printSubgraph } from '../sdl.ts';
import { withPrefix } from '../served-graph.ts';
import { federatedNeighbour } from './neighbour.ts';
import { compose, routerOver } from './router.ts';

const gateway = await startTestGateway({ env: { SUBGRAPH: 'true', TYPE_PREFIX: 'Acme' } });
afterAll(() => gateway.close());

const common = ['Query', 'Mutation', 'Subscription', 'Node', 'PageInfo', 'String', 'Int'];
const builtIn = [...common, 'Boolean', 'Float', 'ID'];
const domainId = globalId('Domain', 'private-demo.net');

describe('with a prefix', () => {
  test('introspection shows the prefix before every type name but the common ones', async () => {
    const { __schema } = await read(gateway, '{ __schema { types { name } } }');
    const names = __schema.types.map(({ name }: GraphQLNamedType) => name);
    const without = names.filter((name: string) => !/^(Acme[A-Z]|__|_[A-Z])/.test(name));

    expect(names.length).toBeGreaterThan(100);
    expect(without.filter((name: string) => !builtIn.includes(name))).toEqual([]);
  });

  test('only the type names change', () => {
    const original = printSchema(schema);
    const renamed = printSchema(withPrefix(schema, 'Acme'));
    const plain = parse(renamed.replace(/\bAcme(?=[A-Z])/g, ''));

    expect(printSchema(buildSchema(renamed))).not.toBe(original);
    expect(plain.definitions).toHaveLength(parse(original).definitions.length);
    expect(
      renamed
        .replace(/\bAcme(?=[A-Z])/g, '')
        .split('\n')
        .sort(),
    ).toEqual(original.split('\n').sort());
  });

  test('__typename has the prefix, also behind an interface', async () => {
    const { data } = await gateway.query(
      `query ($id: ID!) {
        domain(name: "private-demo.net") { __typename contacts { billing { __typename } } }
        node(id: $id) { __typename id ... on AcmeDomain { name } }
        tld(name: "com") { __typename price(operation: REGISTRATION) { price { __typename } } }
      }`,
      { id: domainId },
    );

    expect(data).toEqual({
      domain: { __typename: 'AcmeDomain', contacts: { billing: { __typename: 'AcmeContact' } } },
      node: { __typename: 'AcmeDomain', id: domainId, name: 'private-demo.net' },
      tld: { __typename: 'AcmeTld', price: { price: { __typename: 'AcmeMoney' } } },
    });
  });

  test('refusals, arguments, defaults and enums work as without a prefix', async () => {
    const { data, errors } = await gateway.query(`
      mutation { setNameServers(input: { domain: "not-registered.com", nameServers: ["ns1.a.com", "ns2.a.com"] }) {
        errors { __typename code ... on AcmePlainError { message } } } }
    `);
    const { domains } = await read(
      gateway,
      `query ($filter: AcmeDomainFilter) {
        domains(first: 1, filter: $filter, orderBy: { field: NAME }) { nodes { state } }
      }`,
      { filter: { states: ['ACTIVE'] } },
    );

    expect(errors).toBeUndefined();
    expect(data.setNameServers.errors).toEqual([
      { __typename: 'AcmePlainError', code: 'NOT_FOUND', message: expect.any(String) },
    ]);
    expect(domains.nodes).toEqual([{ state: 'ACTIVE' }]);
  });

  test('a document still contains one purchase at most', async () => {
    const buy = `registerDomain(input: { domain: "maple-harbor.com", nameServers: [], registrant: { fields: {
      firstName: "Ada", lastName: "Byron", email: "ada@example.com", phone: "+44 20 7946 0958",
      address: { line1: "12 St James's Square", city: "London", zipCode: "SW1Y 4JH", country: "GB" } } } })`;

    const { data, errors } = await gateway.query(
      `mutation { ${buy} { replayed } again: ${buy} { replayed } }`,
    );

    expect(data).toBeUndefined();
    expect(errors[0].message).toContain('one purchase');
  });

  test('representations use the prefix, and ids of a graph without a prefix remain valid', async () => {
    const { data, errors } = await gateway.query(
      `query ($representations: [_Any!]!) {
        _entities(representations: $representations) { __typename ... on AcmeDomain { name } }
      }`,
      {
        representations: [
          { __typename: 'AcmeDomain', name: 'private-demo.net' },
          { __typename: 'AcmeDomain', id: domainId },
          { __typename: 'Domain', id: domainId },
        ],
      },
    );

    const found = { __typename: 'AcmeDomain', name: 'private-demo.net' };
    expect(data._entities).toEqual([found, found, null]);
    expect(errors.map(({ message }: Error) => message)).toEqual([
      '"Domain" is not an entity of this graph.',
    ]);
  });

  test('a graph with a prefix composes with a graph that has the same type names, which fails without a prefix', async () => {
    const { _service } = await read(gateway, '{ _service { sdl } }');
    const neighbour = federatedNeighbour({ prefix: 'Acme', collides: true });

    const sendQuery = routerOver(compose(_service.sdl, neighbour.sdl), gateway, neighbour.schema);
    const { data, errors } = await sendQuery(
      '{ busiest(names: ["private-demo.net"]) { __typename visits reminder } money { coins } }',
    );

    expect(errors).toBeUndefined();
    expect(data).toEqual({
      busiest: [{ __typename: 'AcmeDomain', visits: 160, reminder: expect.any(String) }],
      money: null,
    });
    const { sdl } = federatedNeighbour({ collides: true });
    expect(() => compose(printSubgraph(schema), sdl)).toThrow();
  });

  test('the stitching directives remain on their fields', async () => {
    const { _sdl } = await read(gateway, '{ _sdl }');

    expect(_sdl).toMatch(/\): \[AcmeDomain\]! @merge\(keyField: "name"\)/);
  });
});

test.each(['acme', 'Acme_', '_Acme', 'A-B', `A${'x'.repeat(40)}`])(
  'a prefix that cannot begin a name is refused at the start: %s',
  async (prefix) => {
    await expect(startTestGateway({ env: { TYPE_PREFIX: prefix } })).rejects.toThrow(
      /TYPE_PREFIX must be up to 40 letters and digits/,
    );
  },
);
