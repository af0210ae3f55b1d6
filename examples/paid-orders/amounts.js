// The gateway has amounts as texts, such as "33.9800". Stripe has whole numbers of the smallest unit, such as 3398.
// See https://docs.stripe.com/currencies: ISK and UGX have two decimals at Stripe, although they have none elsewhere.

const withoutDecimals = new Set(
  'BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF'.split(' '),
);
/** Their last digit must be 0. */
const withThreeDecimals = new Set(['BHD', 'JOD', 'KWD', 'OMR', 'TND']);

function decimalsOf(currency) {
  if (withoutDecimals.has(currency)) return 0;
  return withThreeDecimals.has(currency) ? 3 : 2;
}

/**
 * @param {{ amount: string, currency: string }} money of the gateway
 * @returns {number} a whole number for Stripe
 * @throws RangeError for an amount that Stripe cannot have
 */
export function unitsOf({ amount, currency }) {
  const [whole, fraction = ''] = amount.split('.');
  const decimals = decimalsOf(currency);
  const digits = fraction.replace(/0+$/, '');
  const units = Number(BigInt(whole + digits.padEnd(decimals, '0')));
  const isExact = digits.length <= decimals && Number.isSafeInteger(units);
  if (!isExact || (decimals === 3 && units % 10 !== 0)) {
    throw new RangeError(`Stripe cannot have the amount ${amount} ${currency}.`);
  }
  return units;
}

/**
 * @param {number} units of Stripe
 * @param {string} currency in lower or upper case
 */
export function moneyOf(units, currency) {
  const upper = currency.toUpperCase();
  const decimals = decimalsOf(upper);
  const digits = String(units).padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  const amount = decimals === 0 ? whole : `${whole}.${digits.slice(-decimals)}`;
  return { amount, currency: upper };
}
