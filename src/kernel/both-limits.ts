import type { Money } from './money.ts';
import type { SpendLimits } from './spend-limits.ts';

/** Limits that allow what both allow. */
export function bothLimits(one: SpendLimits, other: SpendLimits): SpendLimits {
  return {
    ...both('perCall', one.perCall, other.perCall, leastMoney),
    ...both('perDay', one.perDay, other.perDay, leastMoney),
    ...both('perHour', one.perHour, other.perHour, Math.min),
    ...both('tlds', one.tlds, other.tlds, (some, more) => some.filter((tld) => more.includes(tld))),
    ...both('longestPeriod', one.longestPeriod, other.longestPeriod, Math.min),
  };
}

/** A member that is absent limits nothing. */
function both<Name extends string, Value extends {}>(
  name: Name,
  one: Value | undefined,
  other: Value | undefined,
  stricter: (one: Value, other: Value) => Value,
): { readonly [Key in Name]?: Value } {
  const value = one !== undefined && other !== undefined ? stricter(one, other) : (one ?? other);
  return (value === undefined ? {} : { [name]: value }) as { readonly [Key in Name]?: Value };
}

/** A currency that only one of the two lists is refused by the other. */
const leastMoney = (one: readonly Money[], other: readonly Money[]): readonly Money[] =>
  one.flatMap((mine) => {
    const theirs = other.find(({ currency }) => currency === mine.currency);
    if (!theirs) return [];
    return mine.amount.compare(theirs.amount) <= 0 ? mine : theirs;
  });
