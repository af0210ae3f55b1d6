import { countedMs, limitScopes, type ScopedLimits } from '../../src/kernel/spend-limits.ts';
import type { SharedStore } from './store.ts';

type Row = Readonly<Record<string, unknown>>;

/** The limits of one purchase that a purchase exceeds, one sentence each. */
export function brokenByOne(purchase: Row, limits: ScopedLimits): readonly string[] {
  const { domain, caller, cost_amount: cost, period } = purchase;
  return limitScopes.flatMap((scope) => {
    if (scope === 'KEY' && caller === null) return [];
    const { perCall, longestPeriod, tlds } = limits[scope];
    const most = perCall?.[0] ? Number(perCall[0].amount.toString()) : Number.POSITIVE_INFINITY;
    const tld = String(domain).split('.').at(-1) ?? '';
    return [
      ...(Number(cost) > most ? [`${domain} is sent for ${cost}, ${most} may be (${scope})`] : []),
      ...(Number(period) > (longestPeriod ?? Number.POSITIVE_INFINITY)
        ? [`${domain} is sent for ${period} years, ${longestPeriod} may be (${scope})`]
        : []),
      ...(tlds && !tlds.includes(tld) ? [`${domain} is sent, and .${tld} may not (${scope})`] : []),
    ];
  });
}

/**
 * The exceeded limits of several purchases, one sentence each.
 *
 * In claim order each purchase must fit beside the earlier ones, in the hour and the day before it by the clock of the
 * claiming process. A failed purchase is not counted, because its amount was released, possibly later.
 */
export function brokenLimits(store: SharedStore, limits: ScopedLimits): readonly string[] {
  const rows = store.rows("select * from purchases where state <> 'FAILED' order by ordinal");
  return rows.flatMap((row, at) => {
    const earlier = rows.slice(0, at + 1);
    return limitScopes.flatMap((scope) => {
      if (scope === 'KEY' && row.caller === null) return [];
      const counted = (withinMs: number) =>
        earlier.filter(
          ({ claimed_at: claimedAt, caller }) =>
            Date.parse(String(claimedAt)) > Date.parse(String(row.claimed_at)) - withinMs &&
            (scope === 'GATEWAY' || caller === row.caller),
        );
      const { perHour, perDay } = limits[scope];
      const count = counted(countedMs.PER_HOUR).length;
      const spent = counted(countedMs.PER_DAY).reduce(
        (sum, { cost_amount: amount }) => sum + Number(amount),
        0,
      );
      const most = perDay?.[0] ? Number(perDay[0].amount.toString()) : Number.POSITIVE_INFINITY;
      return [
        ...(count > (perHour ?? Number.POSITIVE_INFINITY)
          ? [`${count} purchases in an hour, ${perHour} may be (${scope})`]
          : []),
        ...(spent > most + 0.00005 ? [`${spent} spent in a day, ${most} may be (${scope})`] : []),
      ];
    });
  });
}
