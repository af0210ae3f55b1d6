import { errors } from 'undici';
import { expect, test } from 'vitest';
import { failureSentence } from './failure-sentence.ts';

const withCode = (code: unknown) => Object.assign(new Error('secret'), { code });

test.each([
  ['ECONNREFUSED', 'The endpoint refused the connection'],
  ['ENOTFOUND', 'The host name of the endpoint has no address'],
  ['EPIPE', 'The endpoint closed the connection without a response'],
  ['EHOSTUNREACH', 'There is no route to the endpoint'],
  ['ETIMEDOUT', 'The endpoint did not accept the connection in time'],
  ['UND_ERR_HEADERS_TIMEOUT', 'The endpoint did not respond in time'],
  ['UND_ERR_HEADERS_OVERFLOW', 'The headers of the response are too large'],
  ['HPE_INVALID_CONSTANT', 'The response is not valid HTTP'],
  ['CERT_HAS_EXPIRED', 'The TLS certificate of the endpoint has expired'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'The TLS certificate of the endpoint is for another host'],
  ['SELF_SIGNED_CERT_IN_CHAIN', 'The TLS certificate of the endpoint is self-signed'],
  [
    'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
    'The TLS certificate of the endpoint has an unknown issuer, or an intermediate certificate is missing',
  ],
  ['CERT_NOT_YET_VALID', 'The TLS certificate of the endpoint is not valid'],
  ['ERR_SSL_WRONG_VERSION_NUMBER', 'The TLS handshake with the endpoint failed'],
  ['EMFILE', 'The gateway has too many open files and connections'],
  ['EODD', 'The connection failed'],
])('%s has the sentence: %s', (code, text) => {
  expect(failureSentence(withCode(code))).toBe(`${text} (${code}).`);
});

test.each([
  ['a code that is undefined', withCode(undefined), 'The connection failed.'],
  ['a code that is a number', withCode(23), 'The connection failed.'],
  ['no code', new Error('secret'), 'The connection failed.'],
  ['a value that is no error', 'secret', 'The connection failed.'],
  ['a parser error', new errors.HTTPParserError('secret'), 'The response is not valid HTTP.'],
])('%s is a sentence without a code', (_what, error, sentence) => {
  expect(failureSentence(error)).toBe(sentence);
});
