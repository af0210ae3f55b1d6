import { parse } from 'graphql';
import { expect, test } from 'vitest';
import { withParts } from '../../../test/support/with-parts.ts';
import { schema } from '../../app/graph.ts';
import { anonymous } from '../../kernel/caller.ts';
import { money } from '../../kernel/money.ts';
import { execute } from '../../lib/graphql-js.ts';

async function send(args: string) {
  const days: number[] = [];
  const contextValue = {
    caller: anonymous,
    hidesCosts: false,
    ...withParts({
      resellerRead: async () => ({ name: 'Demo' }),
      portfolio: {
        async renewalsDue(within: number) {
          days.push(within);
          const coveredBy = ({ name }: { name: string }, hidesCosts: boolean) =>
            hidesCosts ? {} : { covered: null, reason: name };
          return { count: 3, unpriced: 1, totals: [money('5', 'USD')], costs: [], coveredBy };
        },
      },
    }),
  };
  const selection = 'count unpriced covered coveredReason totals { price { amount currency } }';
  const document = parse(`{ reseller { renewalsDue${args} { ${selection} } } }`);
  const { data, errors } = await execute({ schema, document, contextValue });
  return { data: JSON.parse(JSON.stringify(data)), errors, days };
}

test('the renewals that are due have their count, their totals and the decision', async () => {
  const { data, days } = await send('');

  expect(days).toEqual([30]);
  expect(data.reseller.renewalsDue).toEqual({
    ...{ count: 3, unpriced: 1, covered: null, coveredReason: 'Demo' },
    totals: [{ price: { amount: '5.0000', currency: 'USD' } }],
  });
});

test.each([1, 3_650])('%i days are accepted', async (days) => {
  expect((await send(`(days: ${days})`)).days).toEqual([days]);
});

test.each([0, 3_651, -1])('%i days are refused before anything is read', async (number) => {
  const { errors, days } = await send(`(days: ${number})`);

  expect(days).toEqual([]);
  expect(errors?.[0]?.originalError).toMatchObject({
    ...{ inputPath: ['days'], facts: { minimum: 1, maximum: 3_650 } },
  });
});
