import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { expressionsOf, readDashboard, selectorsOf } from '../../scripts/dashboard/read.ts';
import { systemClock } from '../../src/kernel/system.ts';
import { createAccountMetrics } from '../../src/observability/account-metrics.ts';
import { createMetrics } from '../../src/observability/metrics.ts';

const read = (file: string) => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');

const { registry } = createMetrics({ actions: new Set(), droppedLogLines: () => 0 });
createAccountMetrics({ registry, clock: systemClock, tenants: [] });
const metrics = new Map(
  registry.getMetricsAsArray().map((one) => {
    // Not in its types, though every metric has them.
    const { labelNames } = one as unknown as { labelNames: readonly string[] };
    return [one.name, new Set([...labelNames, 'le', 'instance'])];
  }),
);

const unknownIn = (expression: string): readonly string[] =>
  selectorsOf(expression).flatMap(({ metric, labels }) => {
    const known = metrics.get(metric) ?? metrics.get(metric.replace(/_(?:bucket|sum|count)$/, ''));
    if (!known) return [metric];
    return labels.filter((label) => !known.has(label)).map((label) => `${metric}{${label}}`);
  });

/** `expr` of every rule; the rest of YAML has no need to be understood. */
const alertExpressions = [
  ...read('deploy/prometheus/alerts.yml').matchAll(/^ +expr: (?:\|\n((?: {10}.*\n)+)|(.*)\n)/gm),
].map(([, block, line]) => (block ?? line ?? '').replace(/\s+/g, ' ').trim());

test('every metric and label of the dashboard is one that the gateway tells', () => {
  const expressions = expressionsOf(readDashboard(read('deploy/grafana/dashboard.json')));

  expect(expressions.length).toBeGreaterThan(20);
  expect(expressions.flatMap(unknownIn)).toEqual([]);
});

test('every metric and label of an alert is one that the gateway tells', () => {
  const alerts = read('deploy/prometheus/alerts.yml').match(/- alert: /g) ?? [];

  expect(alertExpressions).toHaveLength(alerts.length);
  expect(alertExpressions.flatMap(selectorsOf).length).toBeGreaterThan(alerts.length);
  expect(alertExpressions.flatMap(unknownIn)).toEqual([]);
});

test.each([
  ['reseller_graph_no_such_total', ['reseller_graph_no_such_total']],
  ['sum(reseller_graph_errors_total{colour="red"})', ['reseller_graph_errors_total{colour}']],
  ['sum by (colour) (reseller_graph_errors_total)', ['reseller_graph_errors_total{colour}']],
])('%s would be seen', (expression, unknown) => {
  expect(unknownIn(expression)).toEqual(unknown);
});

test('every metric of ours is on the dashboard', () => {
  const expressions = expressionsOf(readDashboard(read('deploy/grafana/dashboard.json')));
  const shown = expressions.flatMap(selectorsOf).map(({ metric }) => metric);
  const ours = [...metrics.keys()].filter((name) => name.startsWith('reseller_graph_'));

  expect(ours.filter((name) => !shown.some((one) => one.startsWith(name)))).toEqual([]);
});
