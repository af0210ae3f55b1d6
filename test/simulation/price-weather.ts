import { money } from '../../src/kernel/money.ts';
import type { PriceList } from '../../src/scope/hooks.ts';
import type { OrderBuyer, RequestedLine } from './order-buyers.ts';
import { planOrders } from './order-weather.ts';
import type { Random } from './random.ts';
import { noPauses, type Weather } from './weather.ts';

/** Costs that rise while the lines of orders wait, in a shop whose fixed prices do not follow them. */
export interface PriceWeather {
  /** When all costs of the service become higher, and how often they do. */
  readonly rises: { readonly atMs: number; readonly factor: number };
  /** The longest time from the end of a process to the start of the next one. */
  readonly maxDowntimeMs: number;
}

const minute = 60_000;

/** Above all costs of a line of a year, also after they have risen. */
export const fixedPrice = money('60.0000', 'USD');
export const fixedPrices: PriceList = {
  isEmpty: false,
  retail: () => ({ price: fixedPrice, rule: 1, rate: null }),
};

type Limits = Pick<OrderBuyer, 'maxTotal' | 'maxTotalCost'> &
  Pick<RequestedLine, 'maxPrice' | 'maxCost'>;

/** Chooses limits, of which each refuses some orders or lines. */
const planLimits = (random: Random): Limits => ({
  maxTotal: random.chance(0.25) ? '250.0000' : null,
  ...(random.chance(0.25) && { maxTotalCost: '50.0000' }),
  ...(random.chance(0.25) && { maxPrice: '50.0000' }),
  ...(random.chance(0.25) && { maxCost: '12.0000' }),
});

/** The order with limits. One line has a price above its limit, and those of two years have such costs. */
const withLimits = (order: OrderBuyer, { maxPrice, maxCost, ...limits }: Limits): OrderBuyer => ({
  ...order,
  ...limits,
  lines: order.lines.map((line) => ({
    ...line,
    ...(maxPrice && line.domain === 'line-9.com' && { maxPrice }),
    ...(maxCost && line.domain !== 'line-9.com' && { maxCost }),
  })),
});

/** The weather of orders over half an hour: processes that end, and an upstream that cannot be read. */
export function withRises(random: Random, weather: Weather): Weather {
  const names = ['line-8.com', 'line-9.com'];
  const orders = planOrders(random, { domains: names, outside: [] });
  const silent = random.chance(0.5);
  const limits = new Map(orders.buyers.map(({ key }) => [key, planLimits(random)]));
  return {
    ...weather,
    ...{ replicas: 1, buyers: [], looks: [], outside: ['outside-1.net'] },
    ...{ takenByOthers: [], boughtByHand: [], limits: { GATEWAY: {}, KEY: {} } },
    orders: {
      ...orders,
      buyers: orders.buyers.map((buyer) => ({
        ...withLimits(buyer, limits.get(buyer.key) as Limits),
        cancelsAfterMs: null,
      })),
    },
    roads: { ...weather.roads, writes: { ok: 1 }, reads: silent ? { reset: 1 } : { ok: 1 } },
    calmRoads: { ...weather.roads, writes: { ok: 1 }, reads: { ok: 1 } },
    calmAfterMs: random.between(minute, 14 * minute),
    ...{ oddEntries: 0, skewMs: 0, clockJumps: [], pauses: noPauses },
    ...{ journalMs: 10, journalFailChance: 0, journalOutages: [] },
    ...{ crashes: random.index(4), crashChance: 0.03 },
    prices: {
      rises: { atMs: random.between(0, 12 * minute), factor: 2 },
      maxDowntimeMs: 30 * minute,
    },
  };
}
