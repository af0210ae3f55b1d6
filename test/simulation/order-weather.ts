import type { OrderBuyer, RequestedLine } from './order-buyers.ts';
import type { Random } from './random.ts';

/** The orders of a run, and how the processes work on them. */
export interface OrderWeather {
  readonly buyers: readonly OrderBuyer[];
  /** Lines that a process works on at a time. */
  readonly together: number;
  readonly leaseMs: number;
}

export const noOrders: OrderWeather = { buyers: [], together: 1, leaseMs: 20_000 };

/** Names that only orders use. */
const lineNames = Array.from({ length: 8 }, (_, at) => `line-${at}.com`);

/** Lines that fail a check, mostly before the order is placed. */
const badLines: readonly RequestedLine[] = [
  { kind: 'REGISTRATION', domain: 'outside-1.net', period: 1 },
  { kind: 'REGISTRATION', domain: 'line-99.com', period: 11 },
  { kind: 'REGISTRATION', domain: 'line-98.unlisted', period: 1 },
  { kind: 'REGISTRATION', domain: 'no name', period: 1 },
];

/** Chooses one or two orders, which compete with each other and with single purchases for some names. */
export function planOrders(
  random: Random,
  {
    domains,
    outside,
  }: { readonly domains: readonly string[]; readonly outside: readonly string[] },
): OrderWeather {
  const names = [...lineNames, ...domains];
  const keys = random.chance(0.6) ? ['o1'] : ['o1', 'o2'];
  const orders = keys.map((key) => planOrder(random, { key, names, outside }));
  const requests = Array.from({ length: 1 + random.index(3) }, () => random.pick(orders));
  return {
    buyers: [...orders, ...requests].map((order) => ({
      ...changed(random, order),
      startsAfterMs: random.between(0, 20_000),
      hangsUpAfterMs: random.chance(0.15) ? random.between(10, 4_000) : null,
      follows: random.chance(0.4),
      cancelsAfterMs: random.chance(0.4) ? random.between(0, random.pick([1_000, 30_000])) : null,
    })),
    together: random.pick([1, 1, 2, 4]),
    leaseMs: random.pick([6_000, 20_000, 60_000]),
  };
}

type Order = Omit<OrderBuyer, 'startsAfterMs' | 'hangsUpAfterMs' | 'follows' | 'cancelsAfterMs'>;

function planOrder(
  random: Random,
  {
    key,
    names,
    outside,
  }: {
    readonly key: string;
    readonly names: readonly string[];
    readonly outside: readonly string[];
  },
): Order {
  const left = [...names];
  const lines = Array.from({ length: 2 + random.index(7) }, (): RequestedLine => {
    if (random.chance(0.1)) return random.pick(badLines);
    const [domain = 'line-0.com'] = left.splice(random.index(left.length), 1);
    const kind = outside.includes(domain) ? 'TRANSFER' : 'REGISTRATION';
    return { kind, domain, period: kind === 'REGISTRATION' && random.chance(0.1) ? 2 : 1 };
  });
  return {
    key,
    caller: random.chance(0.6) ? 'shop' : null,
    lines,
    onFailure: random.chance(0.5) ? 'STOP' : 'CONTINUE',
    maxTotal: random.chance(0.3) ? random.pick(['25.0000', '60.0000', '150.0000']) : null,
  };
}

/** Some clients send another order with a key that they used before. */
function changed(random: Random, order: Order): Order {
  if (random.chance(0.85)) return order;
  return random.chance(0.5)
    ? { ...order, lines: order.lines.slice(1) }
    : { ...order, maxTotal: order.maxTotal === null ? '200.0000' : null };
}
