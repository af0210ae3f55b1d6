import type { Money } from '../shared/money.ts';

/** The sum that is due in one currency, and the lower balance in it. */
export interface Shortfall {
  readonly due: Money;
  readonly balance: Money;
}

const fractionDigits = 12;

/** An amount in units of 10^-12, exact. */
function unitsOf(amount: string): bigint {
  const [whole = '0', fraction = ''] = amount.split('.');
  return BigInt(`${whole}${fraction.padEnd(fractionDigits, '0')}`);
}

function amountOf(units: bigint): string {
  const digits = `${units}`.padStart(fractionDigits + 1, '0');
  return `${digits.slice(0, -fractionDigits)}.${digits.slice(-fractionDigits)}`;
}

/** The currencies in which a balance is lower than the sum of the amounts. A balance that is not known is not lower. */
export const shortfallsOf = (
  amounts: readonly Money[],
  balances: readonly Money[],
): readonly Shortfall[] =>
  balances.flatMap((balance) => {
    const { currency } = balance;
    const due = amounts
      .filter((one) => one.currency === currency)
      .reduce((sum, { amount }) => sum + unitsOf(amount), 0n);
    return due > unitsOf(balance.amount)
      ? [{ due: { amount: amountOf(due), currency }, balance }]
      : [];
  });
