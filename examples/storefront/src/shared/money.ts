/** An exact amount as in the graph. It is never converted to a number, which would round it. */
export interface Money {
  readonly amount: string;
  readonly currency: string;
}

/** `$11.29`; with the code when the browser has no sign for it. */
export function moneyText({ amount, currency }: Money): string {
  const digits = { minimumFractionDigits: 2, maximumFractionDigits: 4 };
  try {
    const format = new Intl.NumberFormat('en', { style: 'currency', currency, ...digits });
    // Browsers format the digits of a text one by one.
    return format.format(amount as `${number}`);
  } catch {
    return `${amount} ${currency}`;
  }
}

/** One exact sum per currency, in the order of their first price. */
export function sumsOf(prices: readonly Money[]): readonly Money[] {
  const sums = new Map<string, bigint>();
  for (const { amount, currency } of prices) {
    sums.set(currency, (sums.get(currency) ?? 0n) + unitsOf(amount));
  }
  return [...sums].map(([currency, units]) => ({ amount: textOf(units), currency }));
}

const decimals = 8;

/** In hundred-millionths. */
function unitsOf(amount: string): bigint {
  const [whole = '0', fraction = ''] = amount.split('.');
  return BigInt(whole + fraction.padEnd(decimals, '0').slice(0, decimals));
}

function textOf(units: bigint): string {
  const digits = String(units).padStart(decimals + 1, '0');
  return `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}
