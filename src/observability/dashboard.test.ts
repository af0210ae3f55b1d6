import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { configOf } from '../../test/support/own-config.ts';
import { openFeatures } from '../app/features.ts';
import { features } from '../features/index.ts';
import { systemClock } from '../lib/system.ts';
import { createLog } from './log.ts';
import { createMetrics, createTenantMetrics, ruleFileMetric } from './metrics.ts';

const read = (file: string) => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');

const { registry } = createMetrics(() => 0);
const { factory } = createTenantMetrics(registry, systemClock, []);
const log = createLog({ level: 'silent' });
const config = configOf({ PRICES_FILE: 'test/support/double-prices.json' });
const context = { config, clock: systemClock, wallClock: systemClock, log };
ruleFileMetric(factory, 'approval', 'APPROVALS_FILE')(true);
await openFeatures(features, { ...context, metrics: factory }, new AsyncDisposableStack());
const metrics = new Map(
  registry.getMetricsAsArray().map((one) => {
    // Not in its types, though every metric has them.
    const { labelNames } = one as unknown as { labelNames: readonly string[] };
    return [one.name, new Set([...labelNames, 'le', 'instance'])];
  }),
);

/** The metrics in a PromQL expression, each with the labels that are matched or grouped by. */
function selectorsOf(expression: string) {
  const grouped = [...expression.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, names = '']) =>
    names.split(',').map((name) => name.trim()),
  );
  // Every word with an underscore that is no function is meant as a metric.
  const selectors = expression
    .replace(/\bby \([^)]*\)/g, '')
    .matchAll(/\b([a-z]+_\w+)\b(?! ?\()(?:\{([^}]*)\})?/g);
  return [...selectors].map(([, metric = '', matchers = '']) => ({
    metric,
    labels: [...[...matchers.matchAll(/(\w+)\s*[=!]/g)].map(([, label = '']) => label), ...grouped],
  }));
}

const unknownIn = (expression: string): readonly string[] =>
  selectorsOf(expression).flatMap(({ metric, labels }) => {
    const known = metrics.get(metric) ?? metrics.get(metric.replace(/_(?:bucket|sum|count)$/, ''));
    if (!known) return [metric];
    return labels.filter((label) => !known.has(label)).map((label) => `${metric}{${label}}`);
  });

interface Dashboard {
  readonly panels: readonly { readonly targets?: readonly { readonly expr: string }[] }[];
}

const { panels }: Dashboard = JSON.parse(read('deploy/grafana/dashboard.json'));
const dashboardExpressions = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));

/** `expr` of every rule. */
const alertExpressions = [
  ...read('deploy/prometheus/alerts.yml').matchAll(/^ +expr: (?:\|\n((?: {10}.*\n)+)|(.*)\n)/gm),
].map(([, block, line]) => (block ?? line ?? '').replace(/\s+/g, ' ').trim());

test('every metric and label of the dashboard exists', () => {
  expect(dashboardExpressions.length).toBeGreaterThan(20);
  expect(dashboardExpressions.flatMap(unknownIn)).toEqual([]);
});

test('every metric and label of an alert exists', { tags: ['R13'] }, () => {
  const alerts = read('deploy/prometheus/alerts.yml').match(/- alert: /g) ?? [];

  expect(alertExpressions).toHaveLength(alerts.length);
  expect(alertExpressions.flatMap(selectorsOf).length).toBeGreaterThan(alerts.length);
  expect(alertExpressions.flatMap(unknownIn)).toEqual([]);
});

test.each([
  ['reseller_graph_no_such_total', ['reseller_graph_no_such_total']],
  ['sum(reseller_graph_errors_total{colour="red"})', ['reseller_graph_errors_total{colour}']],
  ['sum by (colour) (reseller_graph_errors_total)', ['reseller_graph_errors_total{colour}']],
])('%s is detected', (expression, unknown) => {
  expect(unknownIn(expression)).toEqual(unknown);
});

test('every metric of the gateway is on the dashboard', () => {
  const shown = dashboardExpressions.flatMap(selectorsOf).map(({ metric }) => metric);
  const ours = [...metrics.keys()].filter((name) => name.startsWith('reseller_graph_'));

  expect(ours.filter((name) => !shown.some((one) => one.startsWith(name)))).toEqual([]);
});
