import { type Caller, mayKnowCosts } from '../../kernel/caller.ts';
import { type CurrencyCode, Decimal, type Money } from '../../kernel/money.ts';
import type { Charge } from '../../persistence/purchase-queries.ts';

/** The exact sums of charges with the same currencies. A sum without a currency is null. */
export interface ChargeSum {
  /** Purchases that the registrar accepted. */
  readonly count: number;
  readonly currency: CurrencyCode | null;
  /** The prices of these purchases. */
  readonly paid: Decimal | null;
  /** The prices of purchases that came to nothing after that. */
  readonly refunded: Decimal | null;
  /** Null without the scope `prices:cost`, as the sums of costs. */
  readonly costCurrency: CurrencyCode | null;
  /** The costs that the registrar charged, less those that it returned. */
  readonly spent: Decimal | null;
  /** `paid` - `refunded` - `spent`; null unless all are in one currency. */
  readonly margin: Decimal | null;
}

/** The sums of charges by group and currencies, in the order of the groups. */
export async function sumCharges<Group extends Readonly<Record<string, string | null>>>(
  caller: Caller,
  charges: AsyncIterable<Charge>,
  groupOf: (charge: Charge) => Group,
): Promise<readonly (Group & ChargeSum)[]> {
  const seesCosts = mayKnowCosts(caller);
  const sums = new Map<string, { readonly group: Group; readonly sum: Sum }>();
  for await (const charge of charges) {
    const group = groupOf(charge);
    const cost = seesCosts ? charge.cost : null;
    const [currency, costCurrency] = [charge.price?.currency ?? null, cost?.currency ?? null];
    const texts = [...Object.values(group), currency, costCurrency];
    const key = JSON.stringify(texts.map((text) => text ?? ''));
    const { sum } = sums.get(key) ?? { sum: new Sum(currency, costCurrency) };
    sums.set(key, { group, sum });
    sum.add(charge, cost);
  }
  return [...sums]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([, { group, sum }]) => ({ ...group, ...sum.result() }));
}

class Sum {
  readonly #currency: CurrencyCode | null;
  readonly #costCurrency: CurrencyCode | null;
  #count = 0;
  #paid = Decimal.zero;
  #refunded = Decimal.zero;
  #spent = Decimal.zero;

  constructor(currency: CurrencyCode | null, costCurrency: CurrencyCode | null) {
    this.#currency = currency;
    this.#costCurrency = costCurrency;
  }

  add({ step, price, isReturned }: Charge, cost: Money | null): void {
    if (step === 'ACCEPTED') {
      this.#count += 1;
      if (price) this.#paid = this.#paid.plus(price.amount);
      if (cost) this.#spent = this.#spent.plus(cost.amount);
    } else {
      if (price) this.#refunded = this.#refunded.plus(price.amount);
      if (cost && isReturned) this.#spent = this.#spent.minus(cost.amount);
    }
  }

  result(): ChargeSum {
    const [currency, costCurrency] = [this.#currency, this.#costCurrency];
    const margin = this.#paid.minus(this.#refunded).minus(this.#spent);
    const hasPrice = currency !== null;
    return {
      ...{ count: this.#count, currency, costCurrency },
      paid: hasPrice ? this.#paid : null,
      refunded: hasPrice ? this.#refunded : null,
      spent: costCurrency === null ? null : this.#spent,
      margin: hasPrice && currency === costCurrency ? margin : null,
    };
  }
}
