import {
  InMemorySpanExporter,
  NodeTracerProvider,
  type ReadableSpan,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-node';
import { createLog } from '../../src/observability/log.ts';
import { createMetrics } from '../../src/observability/metrics.ts';
import { createSimulatedClock } from './simulated-clock.ts';

/** Log lines and metrics that a test can read, on a simulated clock. */
export function createSinks() {
  const { clock, advance } = createSimulatedClock();
  const lines: Record<string, unknown>[] = [];
  const log = createLog({ level: 'debug', write: (line) => void lines.push(JSON.parse(line)) });
  const metrics = createMetrics(() => 0);
  return {
    ...{ advance, sinks: { clock, log, metrics, tracing: null } },
    /** The log lines without their time. */
    lines: () => lines.map(({ time: _time, ...line }) => line),
    /** The samples of the metrics that this process writes and that are not 0, without their common prefix. */
    async samples(): Promise<Readonly<Record<string, number>>> {
      const text = await metrics.registry.metrics();
      const samples = [...text.matchAll(/^reseller_graph_(\S+) (\S+)$/gm)];
      return Object.fromEntries(
        samples.flatMap(([, name = '', value]) => (Number(value) ? [[name, Number(value)]] : [])),
      );
    },
  };
}

/** A tracer whose ended spans a test can read. */
export function createTracer() {
  const exporter = new InMemorySpanExporter();
  const provider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
  const spans = (): readonly ReadableSpan[] => exporter.getFinishedSpans();
  return { provider, tracer: provider.getTracer('test'), spans };
}
