import { expect, test } from 'vitest';
import { configOf, errorsOf } from '../../test/support/own-config.ts';
import type { Environment } from './read-values.ts';

const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' };
const exportOf = (env: Environment) => configOf(env).traceExport;
test.each<[what: string, env: Environment]>([
  ['no endpoint', { OTEL_SERVICE_NAME: 'graph', OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }],
  ['a blank endpoint', { OTEL_EXPORTER_OTLP_ENDPOINT: ' ' }],
])('no traces are exported with %s', (_what, env) => {
  expect(exportOf(env)).toBeNull();
});

test.each([
  ['http://collector:4318', 'http://collector:4318/v1/traces'],
  ['https://collector.example/team/', 'https://collector.example/team/v1/traces'],
])('traces for the endpoint %s are sent to %s', (url, expected) => {
  expect(exportOf({ OTEL_EXPORTER_OTLP_ENDPOINT: url })?.url).toBe(expected);
});

test('the endpoint of traces is used as it is, and replaces the other', () => {
  const own = { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://tempo:4318/traces' };

  expect(exportOf(own)?.url).toBe('http://tempo:4318/traces');
  expect(exportOf({ ...endpoint, ...own })?.url).toBe('http://tempo:4318/traces');
});

test.each<[env: Environment, name: string]>([
  [{}, 'reseller-graph'],
  [{ OTEL_RESOURCE_ATTRIBUTES: 'service.name=a' }, 'a'],
  [{ OTEL_SERVICE_NAME: 'b' }, 'b'],
  [{ OTEL_SERVICE_NAME: 'b', OTEL_RESOURCE_ATTRIBUTES: 'service.name=a' }, 'b'],
])('the name of the service with %j is %s', (env, name) => {
  expect(exportOf({ ...endpoint, ...env })?.resource).toEqual({ 'service.name': name });
});

test('attributes and headers are decoded, and headers are secrets', () => {
  const found = exportOf({
    ...endpoint,
    OTEL_RESOURCE_ATTRIBUTES: 'host.id = 7, deployment.environment.name=a%20test',
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Basic%20YQ==, x-team=the domains',
  });

  expect(found?.resource).toMatchObject({
    'host.id': '7',
    'deployment.environment.name': 'a test',
  });
  expect(found?.headers.authorization?.reveal()).toBe('Basic YQ==');
  expect(found?.headers['x-team']?.reveal()).toBe('the domains');
  expect(JSON.stringify(found)).not.toContain('YQ');
});

test.each<[env: Environment, sentence: string]>([
  [
    { OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318' },
    'OTEL_EXPORTER_OTLP_ENDPOINT must be an http or https URL without credentials, query or fragment; it is "collector:4318".',
  ],
  [
    { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://user:canary@collector/' },
    'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT must be an http or https URL without credentials, query or fragment.',
  ],
  ...['canary', 'authorization=', 'a b=canary', 'a=canary%', 'a=canary%0a', 'a=1,'].map(
    (text): [Environment, string] => [
      { OTEL_EXPORTER_OTLP_HEADERS: text },
      'OTEL_EXPORTER_OTLP_HEADERS must be headers such as "name=value" separated by commas, with percent-encoded values of visible characters.',
    ],
  ),
  [
    { OTEL_RESOURCE_ATTRIBUTES: 'team' },
    'OTEL_RESOURCE_ATTRIBUTES must be pairs such as "name=value" separated by commas, with percent-encoded values; it is "team".',
  ],
  ...['1.1', '-1', '.', 'half'].map((text): [Environment, string] => [
    { OTEL_TRACES_SAMPLER_ARG: text },
    `OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1; it is "${text}".`,
  ]),
  [
    { ...endpoint, OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' },
    'OTEL_EXPORTER_OTLP_PROTOCOL=grpc is not supported; set http/json, and the port of the collector for HTTP, which is usually 4318.',
  ],
])('%j is refused with one sentence', (env, sentence) => {
  expect(errorsOf(env)).toEqual([sentence]);
});
