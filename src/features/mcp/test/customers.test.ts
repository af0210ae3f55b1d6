import { expect, test } from 'vitest';
import { by } from '../../../../test/access/keys.ts';
import { fillBolt, marks, openBoundShop } from '../../../../test/graph/customers/bound-shop.ts';
import { connectModern } from './clients.ts';

test('tools for models show the data of the customer, and no tool of the account', {
  tags: ['C2'],
}, async () => {
  const opened = await openBoundShop();
  const ofBolt = await fillBolt(opened);
  const client = await connectModern(opened.gateway.url, by('acme'));
  const tools = (await client.list()).map(({ name }) => name);
  const [domains, purchase] = [
    await client.call('domains'),
    await client.call('purchase', { id: ofBolt.purchase }),
  ];
  await client.close();
  await opened.close();

  expect(tools).toContain('domains');
  expect(tools).not.toContain('account');
  expect(domains.text).toContain('reseller-demo.com');
  expect(marks.filter((mark) => domains.text.includes(mark))).toEqual([]);
  expect(domains.text).not.toContain('bolt');
  expect(purchase.text).toContain('This caller has no such purchase');
});
