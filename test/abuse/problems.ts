import type { AbuseInput } from './inputs/input.ts';
import type { RawResponse } from './send.ts';

const insides = [
  /node_modules|\.ts\b|\.js\b|file:\/\/|\/work\/|\/home\/|\/app\//,
  /\bat [\w.<>]+ \(/,
  /\b(?:yoga|undici|envelop|pothos|express|graphql-js|V8)\b/i,
  /SyntaxError|TypeError|RangeError|Unexpected token|Maximum call stack/,
  /Did you mean|hunter2|demo-password/,
];
/** The maximum length of an error response, whatever it quotes. */
const maxRefusal = 10_000;
const hardening = [
  'content-security-policy',
  'x-content-type-options',
  'cache-control',
  'x-request-id',
];

/** The problems of a response, one sentence each. */
export function problemsOf(input: AbuseInput, { status, headers, body }: RawResponse) {
  const all: string[] = [];
  if (!input.statuses.includes(status)) all.push(`the status is ${status}: ${body.slice(0, 200)}`);
  if (status === 'closed') return all;
  if (status >= 500) all.push('it is an error of the server');
  for (const name of hardening) if (!headers[name]) all.push(`there is no ${name}`);
  for (const name of ['x-powered-by', 'server', 'access-control-allow-origin']) {
    if (headers[name]) all.push(`there is ${name}`);
  }
  for (const pattern of insides) {
    const shown = pattern.exec(body)?.[0];
    if (shown) all.push(`it shows "${shown}"`);
  }
  if (body.length > maxRefusal) all.push(`it has ${body.length} bytes`);
  if (status !== 200 && input.category) all.push(...problemsOfErrors(body, input.category));
  return all;
}

function problemsOfErrors(body: string, category: string): readonly string[] {
  const errors = errorsOf(body);
  if (errors === null) return [`it is no GraphQL response: ${body.slice(0, 100)}`];
  if (errors.length === 0 || errors.length > 10) return [`there are ${errors.length} errors`];
  return errors.flatMap(({ extensions = {} }) => [
    ...(extensions.category === category ? [] : [`the category is ${extensions.category}`]),
    ...(extensions.executed === 'NO' ? [] : [`executed is ${extensions.executed}`]),
    ...(typeof extensions.retryable === 'boolean' ? [] : ['there is no retryable']),
    ...(typeof extensions.requestId === 'string' ? [] : ['there is no requestId']),
  ]);
}

interface ResponseError {
  readonly extensions?: Readonly<Record<string, unknown>>;
}

function errorsOf(body: string): readonly ResponseError[] | null {
  try {
    const { errors } = JSON.parse(body);
    return Array.isArray(errors) ? errors : null;
  } catch {
    return null;
  }
}
