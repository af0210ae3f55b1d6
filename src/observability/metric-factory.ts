import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

export type MetricFactory = ReturnType<typeof metricFactory>;

/** Creates metrics in a registry. Their names begin with `reseller_graph_`. `collect` is called before each scrape. */
export function metricFactory(registry: Registry) {
  const facts = <Label extends string>(
    name: string,
    help: string,
    labelNames: readonly Label[],
  ) => ({
    ...{ registers: [registry], name: `reseller_graph_${name}`, help, labelNames },
  });
  return {
    counter: <Label extends string = never>(
      name: string,
      help: string,
      labels: readonly Label[] = [],
      collect?: (this: Counter<Label>) => void,
    ) => new Counter({ ...facts(name, help, labels), ...(collect && { collect }) }),
    gauge: <Label extends string = never>(
      name: string,
      help: string,
      labels: readonly Label[] = [],
      collect?: (this: Gauge<Label>) => void | Promise<void>,
    ) => new Gauge({ ...facts(name, help, labels), ...(collect && { collect }) }),
    histogram: <Label extends string = never>(
      name: string,
      help: string,
      buckets: number[],
      labels: readonly Label[] = [],
    ) => new Histogram({ ...facts(name, help, labels), buckets }),
  };
}
