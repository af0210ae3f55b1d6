import { z } from 'zod';
import type { SettingRow } from './feature-settings.ts';
import * as format from './formats.ts';

const samplers = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;

/** The settings of traces; OpenTelemetry defines the names with `OTEL`. */
export const traceSettingRows = {
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    example: 'http://127.0.0.1:4318',
    default: 'none: no traces are exported',
    description:
      'URL of an OpenTelemetry collector; traces are sent to `/v1/traces` below it. See docs/observability.md.',
    schema: format.httpUrl.optional(),
  },
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: {
    example: 'http://127.0.0.1:4318/v1/traces',
    description:
      'URL that traces are sent to, used as it is; replaces OTEL_EXPORTER_OTLP_ENDPOINT.',
    schema: format.httpUrl.optional(),
  },
  OTEL_EXPORTER_OTLP_HEADERS: {
    example: 'authorization=Bearer%20<token>',
    description:
      'Headers of the requests to the collector, as `name=value` separated by commas; values are percent-encoded.',
    secret: true,
    schema: format.headers.optional(),
  },
  OTEL_EXPORTER_OTLP_PROTOCOL: {
    description: 'Protocol of the collector. Traces are always sent as `http/json`.',
    ...format.choice(['http/json', 'http/protobuf', 'grpc'], 'http/json'),
  },
  OTEL_SERVICE_NAME: {
    default: 'reseller-graph',
    description: 'Name of the gateway in traces.',
    schema: z.string().optional(),
  },
  OTEL_RESOURCE_ATTRIBUTES: {
    example: 'deployment.environment.name=production',
    description:
      'Attributes of the gateway in traces, as `name=value` separated by commas; values are percent-encoded.',
    schema: format.pairs.optional(),
  },
  OTEL_TRACES_SAMPLER: {
    description: `Selects the traces that are exported: ${samplers.map((name) => `\`${name}\``).join(', ')}. A \`parentbased\` sampler applies the decision of the client's trace, when it has one.`,
    ...format.choice(samplers, 'parentbased_always_on'),
  },
  OTEL_TRACES_SAMPLER_ARG: {
    default: '1',
    description: 'Part of the traces that a `traceidratio` sampler exports, from 0 to 1.',
    schema: format.fraction.default(1),
  },
  TRACE_OPERATION_NAMES: {
    to: 'observability.namesOperations',
    default: 'false',
    description:
      'Adds the name of a GraphQL operation to the name of its span, such as `query ListDomains`. Clients choose these names, so that there can be many.',
    schema: format.flag.default(false),
  },
} satisfies Record<string, SettingRow>;

type TraceValues = {
  readonly [Name in keyof typeof traceSettingRows]: z.output<
    (typeof traceSettingRows)[Name]['schema']
  >;
};

/** Where traces are sent, and which; null without an endpoint. */
export function traceExportOf(values: TraceValues) {
  const base = values.OTEL_EXPORTER_OTLP_ENDPOINT?.replace(/\/+$/, '');
  const url = values.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? (base && `${base}/v1/traces`);
  if (!url) return null;
  const named = values.OTEL_SERVICE_NAME;
  return {
    url,
    headers: values.OTEL_EXPORTER_OTLP_HEADERS ?? {},
    /** Of the gateway, which each span belongs to. */
    resource: {
      'service.name': traceSettingRows.OTEL_SERVICE_NAME.default,
      ...Object.fromEntries(values.OTEL_RESOURCE_ATTRIBUTES ?? []),
      ...(named !== undefined && { 'service.name': named }),
    },
    ratio: ratioOf(values),
    isParentBased: values.OTEL_TRACES_SAMPLER.startsWith('parentbased_'),
  };
}

function ratioOf({ OTEL_TRACES_SAMPLER: sampler, OTEL_TRACES_SAMPLER_ARG: ratio }: TraceValues) {
  if (sampler.endsWith('always_on')) return 1;
  return sampler.endsWith('always_off') ? 0 : ratio;
}
