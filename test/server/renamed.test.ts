import { expect, test } from 'vitest';
import { startTestGateway } from '../support/gateway.ts';

test('in development a document of graph 0.2 is refused with the new name of each old one, and in production without', async () => {
  const document = `query ($change: OrderLineInput!) {
    order(by: { key: "a" }) { id }
    purchase(by: { id: "a" }) { id }
    purchases(filter: { kinds: [REGISTER] }) { nodes { id } }
    quoteOrder(input: { lines: [$change, { register: { domain: "a.com" } }] }) { affordable }
    node(id: "a") { ... on DomainChangeJob { key } }
    renamed: nothing
  }`;
  const messages = async (development: boolean) => {
    const gateway = await startTestGateway({ env: { DEVELOPMENT: String(development) } });
    const { errors } = await gateway.query(document);
    await gateway.close();
    return errors.map(({ message }: { message: string }) => message) as readonly string[];
  };
  const hints = (await messages(true)).flatMap(
    (message) => / It was renamed to "(.+)"\.$/.exec(message)?.[1] ?? [],
  );

  expect(hints.toSorted()).toEqual([
    ...['BulkChange', 'REGISTRATION', 'by: { id }', 'order(by: { key })', 'registration'],
  ]);
  expect((await messages(false)).join()).not.toContain('renamed to');
});
