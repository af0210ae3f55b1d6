import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { by } from '../../../../test/access/keys.ts';
import { newFolder } from '../../../../test/support/folder.ts';
import { schema as graph } from '../../../app/graph.ts';
import { approvalsPage } from '../../approval/page.ts';
import { bought, maple, openTwoShops } from '../test/two-shops.ts';

const file = join(await newFolder('priced-approvals'), 'approvals.json');
const rule = {
  operations: ['REGISTRATION'],
  when: { costAbove: { amount: '15', currency: 'USD' } },
};
await writeFile(file, JSON.stringify({ rules: [rule] }));
const { worlds, inBoth } = await openTwoShops({ APPROVALS_FILE: file });

test('a dry run of a caller without the scope compares the price with a rule', async () => {
  const dryRun = `mutation { registerDomain(input: { ${bought}, dryRun: true }) { needsApproval errors { code } } }`;
  const answer = await inBoth(async (gateway) => {
    const { data } = await gateway.query(dryRun, {}, by('clerk'));
    return data.registerDomain;
  });

  // 60 is above 15, which the first cost is not.
  expect(answer).toEqual({ needsApproval: true, errors: [] });
});

test('the price of an approval is the price, and its cost is null without the scope', async () => {
  const [, { gateway }] = worlds;
  const { data } = await gateway.query(
    `mutation { registerDomain(input: { ${bought} }) { needsApproval purchase { state approval { price { amount } cost { amount } } } } }`,
    {},
    by('clerk'),
  );
  const approval = { price: { amount: '60.0000' }, cost: null };
  expect(data.registerDomain).toEqual({
    needsApproval: true,
    purchase: { state: 'AWAITING_APPROVAL', approval },
  });

  const seen = await gateway.query(
    '{ approvals { nodes { price { amount } cost { amount } } } }',
    {},
    by('owner'),
  );
  expect(seen.data.approvals.nodes).toEqual([{ ...approval, cost: { amount: '22.5800' } }]);

  // The document of the page, which names the rule in words.
  for (const [key, amount] of [
    ['owner', '15.0000 USD'],
    ['clerk', 'an amount'],
  ] as const) {
    const [list = ''] = approvalsPage.documentsOf({ schema: graph });
    const page = await gateway.query(list, {}, by(key));
    expect(page.errors).toBeUndefined();
    expect(page.data.approvals.nodes).toMatchObject([
      {
        rule: {
          text: `Each registration if the cost is above ${amount}, in another currency, or not known.`,
        },
        subject: { unicodeName: maple, period: 1 },
      },
    ]);
  }
});
