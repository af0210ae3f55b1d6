import { afterAll, expect, test } from 'vitest';
import { catalogue } from '../../../sandbox/service/catalogue.ts';
import { createRandom } from '../../simulation/random.ts';
import { everyTld } from '../../support/gateway.ts';
import { runs } from '../../support/long.ts';
import { priceOf } from '../../support/prices.ts';
import { openShop, type Payload, quoteFields } from './shop.ts';

const orders = runs(50, 500);
/** Orders that are quoted by one document; the balance is refilled between two batches. */
const batchSize = 25;
const seed = 20_261_122;
const totalPeriods = [1, 3, 5, 10];

interface Order {
  readonly kind: 'register' | 'transfer';
  readonly label: string;
  readonly tld: string;
  readonly domain: string;
  readonly period: number;
}

const random = createRandom(seed);
const tlds = catalogue.map(({ tld }) => tld);
const shop = await openShop({ sandboxTlds: everyTld });
afterAll(() => shop.close());

/** TLDs with a price list of their own; the rest is the long tail. */
const notable = ['online', 'xyz', 'io', 'ai', 'blog', 'uk', 'gen.tr', 'tel', 'travel', 'aero'];

function randomOrder(at: number): Order {
  const kind = random.chance(0.3) ? 'transfer' : 'register';
  const tld = random.pick(random.chance(0.4) ? notable : tlds);
  const premium = `${String.fromCharCode(97 + (at % 26))}${at % 10}q`;
  const label =
    kind === 'transfer' ? `outside-q${at}` : random.chance(0.1) ? premium : `quoted-q${at}`;
  const period = random.chance(0.6) ? random.pick(totalPeriods) : 1 + random.index(11);
  return { kind, label, tld, domain: `${label}.${tld}`, period };
}

/** What the fields of the graph quote before the purchase: availability or TLD, and the total of a search. */
async function quoteAll(batch: readonly Order[]) {
  const fields = batch.flatMap(({ kind, label, tld, domain, period }, at) => {
    if (kind === 'transfer')
      return [
        `q${at}: tld(name: "${tld}") { quote(operation: TRANSFER, period: ${period}) { ${quoteFields} } }`,
      ];
    const quote = `q${at}: availability(name: "${domain}") { quote(period: ${period}) { ${quoteFields} } }`;
    const search = `s${at}: searchDomains(labels: ["${label}"], tlds: ["${tld}"]) { totals { ${quoteFields} } }`;
    return totalPeriods.includes(period) ? [quote, search] : [quote];
  });
  const { data, errors } = await shop.gateway.query(`{ ${fields.join('\n')} }`);
  expect(errors).toBeUndefined();
  return batch.map(({ period }, at) => ({
    quote: data[`q${at}`].quote,
    total: data[`s${at}`]?.[0].totals.find((one: Payload) => one.period === period),
  }));
}

const units = (money: Payload): bigint => BigInt(money.amount.replace('.', ''));
const amountOf = (count: bigint) =>
  `${count / 10_000n}.${String(count % 10_000n).padStart(4, '0')}`;

/** None, or one around the bounds of the quote. */
function randomMaxPrice({ lowest, highest }: Payload): Payload {
  if (!highest || random.chance(0.4)) return null;
  const around = random.pick([lowest, highest]);
  const count = units(around) + BigInt(random.index(3) - 1);
  return { amount: amountOf(count < 0n ? 0n : count), currency: around.currency };
}

const title = `of ${orders} random orders none is debited more than its quote or its maxPrice, and every field quotes the same`;

test(title, { timeout: runs(120_000, 900_000) }, async () => {
  const met = new Set<string>();
  for (let from = 0; from < orders; from += batchSize) {
    const batch = Array.from({ length: batchSize }, (_, at) => randomOrder(from + at));
    const quoted = await quoteAll(batch);
    const made: Made[] = [];
    for (const [at, order] of batch.entries()) made.push(await make(order, quoted[at]));
    const debits = new Map((await shop.ledger()).map(({ domain, price }) => [domain, price]));
    for (const one of made) met.add(outcomeOf(one, debits.get(one.order.domain)));
    await shop.gateway.admin('POST', '/reset', {});
  }

  // Otherwise the orders were too much alike to show anything.
  expect([...met]).toEqual(
    expect.arrayContaining([
      'ESTIMATED, debited the highest',
      'ESTIMATED, debited the lowest',
      'ESTIMATED, refused by maxPrice',
      'LISTED, debited the highest',
      'LISTED, refused by maxPrice',
      'UNKNOWN, refused',
    ]),
  );
});

interface Made {
  readonly order: Order;
  readonly quote: Payload;
  readonly maxPrice: Payload;
  readonly payload: Payload;
}

/** Buys it, one in three after a dry run, and compares every quote of it. */
async function make(order: Order, quoted: Payload): Promise<Made> {
  const { quote, total = quote } = quoted;
  const { kind, domain, period } = order;
  const facts = { domain, period, ...(kind === 'register' && { acceptPremium: true }) };
  const tried = random.chance(1 / 3) ? await shop[kind]({ ...facts, dryRun: true }) : { quote };
  const maxPrice = randomMaxPrice(quote);
  const payload = await shop[kind]({ ...facts, maxPrice });
  expect({ order, quotes: [total, tried.quote, payload.quote] }).toEqual({
    order,
    quotes: [quote, quote, quote],
  });
  return { order, quote, maxPrice, payload };
}

/** How the order ended, checked against what the sandbox debited, by its price. */
function outcomeOf({ order, quote, maxPrice, payload }: Made, debit: string | undefined): string {
  const { certainty, lowest, highest } = quote;
  const isDebited = debit !== undefined;
  expect({ order, isDebited }).toEqual({
    order,
    isDebited: ['SUCCEEDED', 'IN_PROGRESS'].includes(payload.purchase?.state),
  });
  if (isDebited) {
    const paid = units({ amount: priceOf(debit) });
    expect({ order, price: payload.purchase.price }).toEqual({ order, price: highest });
    expect({ order, isWithin: units(lowest) <= paid && paid <= units(highest) }).toEqual({
      order,
      isWithin: true,
    });
    if (maxPrice)
      expect({ order, isAllowed: paid <= units(maxPrice) }).toEqual({ order, isAllowed: true });
    return `${certainty}, debited the ${paid === units(highest) ? 'highest' : 'lowest'}`;
  }
  const codes = payload.errors.map(({ code }: Payload) => code);
  if (highest && maxPrice && units(maxPrice) < units(highest)) {
    expect({ order, purchase: payload.purchase }).toEqual({ order, purchase: null });
    if (codes.includes('MAX_PRICE_EXCEEDED')) return `${certainty}, refused by maxPrice`;
  }
  if (!highest) {
    expect({ order, purchase: payload.purchase }).toEqual({ order, purchase: null });
    return 'UNKNOWN, refused';
  }
  return 'refused otherwise';
}
