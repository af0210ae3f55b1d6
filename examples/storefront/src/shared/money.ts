/** An exact amount as in the graph. It is never converted to a number, which would round it. */
export interface Money {
  readonly amount: string;
  readonly currency: string;
}

export const isZero = ({ amount }: Money): boolean => Number(amount) === 0;

/** `$11.29`; with the code when the browser has no sign for it. */
export function moneyText({ amount, currency }: Money): string {
  try {
    const style = { style: 'currency', currency, maximumFractionDigits: 4 } as const;
    const format = new Intl.NumberFormat('en', style);
    // Browsers format the digits of a text one by one.
    return format.format(amount as `${number}`);
  } catch {
    return `${amount} ${currency}`;
  }
}

/** A sum in one currency. */
interface Total {
  readonly price: Money | null;
  readonly estimated: boolean;
}

/** One amount per currency, such as `$22.58 + up to €30.00`; empty without any. */
export const totalsText = (totals: readonly Total[]): string =>
  totals
    .flatMap(({ price, estimated }) =>
      price ? `${estimated ? 'up to ' : ''}${moneyText(price)}` : [],
    )
    .join(' + ');
