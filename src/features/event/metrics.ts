import type { TenantMetricFactory } from '../../observability/metrics.ts';
import { perTenant } from '../../scope/tenant.ts';
import { renewalsCovered } from './parts.ts';

/** Creates the metrics, and what each tenant sets them with. */
export function eventMetrics({ gauge }: TenantMetricFactory) {
  const coveredUntil = gauge(
    'renewals_covered_until_timestamp_seconds',
    'Unix time until which the balances cover the renewals, by the last comparison; absent when that is not known.',
    ['tenant'],
  );
  return perTenant('eventMetrics', ({ use, facts: { tenant } }) => {
    use(renewalsCovered).listen((until) => {
      if (until) coveredUntil.set({ tenant }, until.getTime() / 1_000);
      else coveredUntil.remove({ tenant });
    });
    return {};
  });
}
