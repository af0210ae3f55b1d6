import { countedMs, type ScopedLimits } from '../../src/kernel/spend-limits.ts';
import type { SharedStore } from './store.ts';

/**
 * The limits that were broken, one sentence each.
 *
 * In the order of their claims each purchase had to fit beside those before it, in the hour and the day that end with it
 * by the clock of whoever claimed it. What failed had been given back, perhaps only later, so it is not counted.
 */
export function brokenLimits(store: SharedStore, limits: ScopedLimits): readonly string[] {
  const rows = store.rows("select * from operations where state <> 'FAILED' order by ordinal");
  return rows.flatMap((row, at) => {
    const earlier = rows.slice(0, at + 1);
    return (['GATEWAY', 'KEY'] as const).flatMap((scope) => {
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
        (sum, { price_amount: amount }) => sum + Number(amount),
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
