import { countedMs, type ScopedLimits } from '../../src/kernel/spend-limits.ts';
import type { SharedStore } from './store.ts';

/**
 * The exceeded limits, one sentence each.
 *
 * In claim order each purchase must fit beside the earlier ones, in the hour and the day before it by the clock of the
 * claiming process. A failed purchase is not counted, because its amount was released, possibly later.
 */
export function brokenLimits(store: SharedStore, limits: ScopedLimits): readonly string[] {
  const rows = store.rows("select * from purchases where state <> 'FAILED' order by ordinal");
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
