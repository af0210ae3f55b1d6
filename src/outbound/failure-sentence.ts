import { errors } from 'undici';
import { errorCodeOf } from '../lib/error-code.ts';

const invalidHttp = 'The response is not valid HTTP';

/** What happened, by the codes of errors of Node, OpenSSL and undici. The first row that matches counts. */
const failures: readonly (readonly [RegExp, string])[] = [
  [/^ECONNREFUSED$/, 'The endpoint refused the connection'],
  [
    /^(?:ECONNRESET|ECONNABORTED|EPIPE|UND_ERR_SOCKET)$/,
    'The endpoint closed the connection without a response',
  ],
  [/^(?:EHOSTUNREACH|EHOSTDOWN|ENETUNREACH|ENETDOWN)$/, 'There is no route to the endpoint'],
  [/^(?:ETIMEDOUT|UND_ERR_CONNECT_TIMEOUT)$/, 'The endpoint did not accept the connection in time'],
  [/^UND_ERR_(?:HEADERS|BODY)_TIMEOUT$/, 'The endpoint did not respond in time'],
  [/^(?:HPE|UND_ERR_HEADERS)_.*OVERFLOW$/, 'The headers of the response are too large'],
  [/^HPE_/, invalidHttp],
  [/^CERT_HAS_EXPIRED$/, 'The TLS certificate of the endpoint has expired'],
  [/^ERR_TLS_CERT_ALTNAME_INVALID$/, 'The TLS certificate of the endpoint is for another host'],
  [/SELF_SIGNED_CERT/, 'The TLS certificate of the endpoint is self-signed'],
  [
    /^UNABLE_TO_(?:VERIFY_LEAF_SIGNATURE|GET_ISSUER_CERT(?:_LOCALLY)?)$/,
    'The TLS certificate of the endpoint has an unknown issuer, or an intermediate certificate is missing',
  ],
  [/CERT|^CRL_/, 'The TLS certificate of the endpoint is not valid'],
  [/^(?:EPROTO|ERR_SSL_|ERR_TLS_)/, 'The TLS handshake with the endpoint failed'],
  [/^E[MN]FILE$/, 'The gateway has too many open files and connections'],
];

/** Why a request has no response, in a sentence. It has the code of the error only: the message can contain bytes of the response. */
export function failureSentence(error: unknown): string {
  const code = errorCodeOf(error);
  if (code === null) {
    return `${error instanceof errors.HTTPParserError ? invalidHttp : 'The connection failed'}.`;
  }
  const text = failures.find(([codes]) => codes.test(code))?.[1] ?? 'The connection failed';
  return `${text} (${code}).`;
}
