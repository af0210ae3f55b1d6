import { expect, test } from 'vitest';
import { readBalances, rowOf } from '../../../test/support/modules/event-rows.ts';
import { tldWith } from '../../../test/support/modules/tlds.ts';
import { priceListBy } from '../../../test/support/retail-list.ts';
import { createSimulatedClock, dayMs } from '../../../test/support/simulated-clock.ts';
import { partOf } from '../../../test/support/with-parts.ts';
import { parseDomainName } from '../../kernel/domain-name.ts';
import { formatMoney } from '../../kernel/money.ts';
import { lazy } from '../../lib/lazy.ts';
import { createQuotes } from '../../modules/quote/quotes.ts';
import { PortfolioIndex } from './list-index/portfolio-index.ts';
import type { Portfolio } from './portfolio.ts';
import { portfolio } from './service.ts';

const { clock } = createSimulatedClock();
const inDays = (days: number) => new Date(clock.now().getTime() + days * dayMs);

/** A shop with a balance of 25 USD, whose domains expire after these days. A renewal costs 10 USD, and its price is 20 USD. */
async function openShop(...days: readonly number[]) {
  const rows = days.map((after, at) =>
    rowOf(parseDomainName(`name-${at}.com`), { expiresAt: inDays(after) }),
  );
  const index = await PortfolioIndex.read(clock).end(rows);
  const list = lazy(
    async () => ({ index, complete: true, nextStep: null }) as unknown as Portfolio,
  );
  const prices = priceListBy();
  const parts = {
    portfolioReads: { list, refreshed: list },
    tldReads: { above: async () => ({ tld: tldWith('com'), labelFault: null }) },
    pricing: createQuotes(() => prices, clock),
    filterResolver: async () => null,
  };
  const stored = { inTurn: (read: () => unknown) => read() };
  const service = partOf(portfolio, parts, { clock, stored });
  return { service, balances: readBalances(new Map([['USD', '25']])) };
}

test.each([
  ['prices', true, 2, false],
  ['costs', false, 3, true],
])(
  'the balance covers renewals by their %s, for a caller from whom costs are hidden: %s',
  async (_what, hidesCosts, days, covered) => {
    const { service, balances } = await openShop(1.5, 2.5, 3.5);

    const runway = await service.renewalsCovered(balances, hidesCosts);
    const due = await service.renewalsDue(3);

    expect(runway).toMatchObject({ from: clock.now(), until: inDays(days), count: days - 1 });
    expect(runway.coveredBy(balances, hidesCosts)).toEqual({ covered: true, reason: null });
    expect([due.count, due.coveredBy(balances, hidesCosts).covered]).toEqual([2, covered]);
    expect(due.totals.map(formatMoney)).toEqual(['40.0000 USD']);
    expect(due.costs.map(formatMoney)).toEqual(['20.0000 USD']);
  },
);
