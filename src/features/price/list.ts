import Big from 'big.js';
import {
  Decimal,
  isSameMoney,
  type Money,
  minorUnit,
  type PricedItem,
  type RetailPrice,
} from '../../kernel/money.ts';
import type { PriceRules } from './file.ts';

type PriceRule = PriceRules['rules'][number];

export type MissingPrice = 'NO_RULE' | 'NO_RATE' | 'OLD_RATE' | 'BELOW_COST' | 'TOO_LONG';

export type PriceList = ReturnType<typeof createPriceList>;

/** With 40 digits the quotient of two amounts is on the right side of one half. */
const Exact = Big();
Exact.DP = 40;
Exact.RM = Exact.roundHalfUp;

const toBig = (decimal: Decimal) => new Exact(decimal.toString());
const hundred = new Exact(100);

/** Items whose rule is cached: a catalogue of 1,000 TLDs has fewer. */
const maxItems = 20_000;
/** Costs of an item whose price is cached. Premium names have costs of their own. */
const maxCosts = 16;

/** The rule of an item, and the prices for the costs that it had. */
interface KnownItem {
  readonly rule: Rule | 'NO_RULE';
  readonly prices: { readonly cost: Money; readonly found: RetailPrice | MissingPrice }[];
}

export function createPriceList({ rules, rates, maxRateAgeMs }: PriceRules) {
  const compiled = rules.map((rule, at) => new Rule(rule, at + 1));
  const rateOf = new Map(rates.map((rate) => [`${rate.from} ${rate.to}`, rate]));
  const items = new Map<string, KnownItem>();

  const knownItem = (item: PricedItem): KnownItem => {
    const key = `${item.tld} ${item.operation} ${item.period} ${item.premium}`;
    const known = items.get(key);
    if (known) return known;
    const rule = compiled.find((one) => one.matches(item)) ?? 'NO_RULE';
    const added: KnownItem = { rule, prices: [] };
    if (items.size === maxItems) items.clear();
    items.set(key, added);
    return added;
  };
  const priceBy = (rule: Rule, { amount: cost, currency: from }: Money) => {
    const currency = rule.currency ?? from;
    const rate = currency === from ? null : rateOf.get(`${from} ${currency}`);
    if (rate === undefined) return 'NO_RATE';
    const converted = rate ? toBig(cost).times(toBig(rate.rate)) : toBig(cost);
    const amount = rule.priceOf(converted, currency);
    if (amount.lt(rule.mayBeBelowCost ? 0 : converted)) return 'BELOW_COST';
    const exact = Decimal.tryParse(amount.toFixed());
    return exact ? { price: { amount: exact, currency }, rule: rule.position, rate } : 'TOO_LONG';
  };

  return {
    /** What a customer pays for something with this cost, at a time. */
    retail(item: PricedItem, cost: Money, now: Date): RetailPrice | MissingPrice {
      const { rule, prices } = knownItem(item);
      let found = prices.find((one) => isSameMoney(one.cost, cost))?.found;
      if (found === undefined) {
        found = rule === 'NO_RULE' ? rule : priceBy(rule, cost);
        if (prices.length === maxCosts) prices.shift();
        prices.push({ cost, found });
      }
      if (typeof found === 'string' || !found.rate) return found;
      return now.getTime() - Date.parse(found.rate.asOf) > maxRateAgeMs ? 'OLD_RATE' : found;
    },
    /** Whether nothing has a price. */
    isEmpty: rules.length === 0,
    /** Times, in milliseconds, after which a rate is too old. */
    rateEnds: rates.map(({ asOf }) => Date.parse(asOf) + maxRateAgeMs),
  };
}

class Rule {
  readonly position: number;
  readonly currency: string | null;
  readonly mayBeBelowCost: boolean;
  readonly #rule: PriceRule;
  readonly #tlds: ReadonlySet<string> | null;
  readonly #factor: Big;
  readonly #plus: Big;
  readonly #fixed: Big | null;

  constructor(rule: PriceRule, position: number) {
    const { tlds, margin, plus, fixed, currency = null, belowCost = false } = rule;
    this.position = position;
    this.currency = currency;
    this.mayBeBelowCost = belowCost;
    this.#rule = rule;
    this.#tlds = tlds && !tlds.includes('*') ? new Set(tlds) : null;
    this.#factor = margin ? toBig(margin).plus(hundred).div(hundred) : new Exact(1);
    this.#plus = plus ? toBig(plus.amount) : new Exact(0);
    this.#fixed = fixed ? toBig(fixed.amount) : null;
  }

  matches({ tld, operation, period, premium }: PricedItem): boolean {
    const { operations, periods, premium: onlyPremium } = this.#rule;
    return (
      (this.#tlds === null || this.#tlds.has(tld)) &&
      (!operations || operations.includes(operation)) &&
      (!periods || periods.includes(period)) &&
      (onlyPremium === undefined || onlyPremium === premium)
    );
  }

  /** The price for a cost in the currency of the price. */
  priceOf(cost: Big, currency: string): Big {
    if (this.#fixed) return this.#fixed;
    const exact = cost.times(this.#factor).plus(this.#plus);
    return rounded(exact, this.#rule.rounding ?? { step: minorUnit(currency) });
  }
}

function rounded(amount: Big, rounding: NonNullable<PriceRule['rounding']>): Big {
  if ('step' in rounding) {
    const step = toBig(rounding.step);
    return amount.div(step).round(0, Exact.roundHalfUp).times(step);
  }
  const ending = toBig(rounding.ending);
  const whole = amount.minus(ending).round(0, Exact.roundUp);
  return (amount.lt(ending) ? new Exact(0) : whole).plus(ending);
}
