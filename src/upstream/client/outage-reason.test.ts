import { expect, test } from 'vitest';
import { Fault } from '../../kernel/faults.ts';
import { outageReasonOf } from './outage-reason.ts';

const unavailable = (cause?: unknown) =>
  Object.assign(new Fault('UPSTREAM_UNAVAILABLE'), { cause });

test.each<[string, Fault, number | undefined, string | null, RegExp]>([
  ['a refused connection', unavailable('ECONNREFUSED'), undefined, 'refused', /\(ECONNREFUSED\)/],
  ['a host without an address', unavailable('ENOTFOUND'), undefined, 'host', /has no address/],
  ['an expired certificate', unavailable('CERT_HAS_EXPIRED'), undefined, 'tls', /has expired/],
  ['TLS against plain HTTP', unavailable('EPROTO'), undefined, 'tls', /TLS handshake/],
  ['a closed connection', unavailable('UND_ERR_SOCKET'), undefined, 'closed', /closed/],
  [
    'an unknown cause',
    unavailable(new Error('secret')),
    undefined,
    'other',
    /^The connection failed/,
  ],
  ['a response of a proxy', unavailable(), 502, 'response', /status 502/],
  [
    'a response without its status',
    unavailable(),
    undefined,
    'response',
    /responded that it is not available\.$/,
  ],
  ['a timeout', new Fault('UPSTREAM_TIMEOUT'), undefined, 'timeout', /did not respond in time/],
  ['a refusal', new Fault('UPSTREAM_REJECTED'), 400, null, /^$/],
])('%s has a label and a sentence', (_what, fault, status, label, sentence) => {
  const reason = outageReasonOf(fault, status);

  expect(reason?.label ?? null).toBe(label);
  expect(reason?.sentence ?? '').toMatch(sentence);
});
