import { errors } from 'undici';
import { errorCodeOf } from './errors.ts';

/** Why an endpoint is unavailable: one of few labels, and a sentence without secrets. */
export interface OutageReason {
  /** `response` for a response that says so, such as one with the status 502. */
  readonly label: FailureLabel | 'response';
  readonly sentence: string;
}

type FailureLabel = 'refused' | 'host' | 'route' | 'tls' | 'timeout' | 'closed' | 'other';

const invalidHttp = 'The response is not valid HTTP';

/** What happened, by the codes of errors of Node, OpenSSL and undici. The first row that matches counts. */
const failures: readonly (readonly [RegExp, FailureLabel, string])[] = [
  [/^ECONNREFUSED$/, 'refused', 'The endpoint refused the connection'],
  [/^(?:ENOTFOUND|EAI_\w+)$/, 'host', 'The host name of the endpoint has no address'],
  [
    /^(?:ECONNRESET|ECONNABORTED|EPIPE|UND_ERR_SOCKET)$/,
    'closed',
    'The endpoint closed the connection without a response',
  ],
  [
    /^(?:EHOSTUNREACH|EHOSTDOWN|ENETUNREACH|ENETDOWN)$/,
    'route',
    'There is no route to the endpoint',
  ],
  [
    /^(?:ETIMEDOUT|UND_ERR_CONNECT_TIMEOUT)$/,
    'timeout',
    'The endpoint did not accept the connection in time',
  ],
  [/^UND_ERR_(?:HEADERS|BODY)_TIMEOUT$/, 'timeout', 'The endpoint did not respond in time'],
  [/^(?:HPE|UND_ERR_HEADERS)_.*OVERFLOW$/, 'other', 'The headers of the response are too large'],
  [/^HPE_/, 'other', invalidHttp],
  [/^CERT_HAS_EXPIRED$/, 'tls', 'The TLS certificate of the endpoint has expired'],
  [
    /^ERR_TLS_CERT_ALTNAME_INVALID$/,
    'tls',
    'The TLS certificate of the endpoint is for another host',
  ],
  [/SELF_SIGNED_CERT/, 'tls', 'The TLS certificate of the endpoint is self-signed'],
  [
    /^UNABLE_TO_(?:VERIFY_LEAF_SIGNATURE|GET_ISSUER_CERT(?:_LOCALLY)?)$/,
    'tls',
    'The TLS certificate of the endpoint has an unknown issuer, or an intermediate certificate is missing',
  ],
  [/CERT|^CRL_/, 'tls', 'The TLS certificate of the endpoint is not valid'],
  [/^(?:EPROTO|ERR_SSL_|ERR_TLS_)/, 'tls', 'The TLS handshake with the endpoint failed'],
  [/^E[MN]FILE$/, 'other', 'The gateway has too many open files and connections'],
];

/** Why a request has no response, in a sentence. It has the code of the error only: the message can contain bytes of the response. */
export function failureSentence(error: unknown): string {
  const code = errorCodeOf(error);
  if (code === null) {
    return `${error instanceof errors.HTTPParserError ? invalidHttp : 'The connection failed'}.`;
  }
  return failureOfCode(code).sentence;
}

/** The failure with this code of an error. */
export function failureOfCode(code: string): OutageReason {
  const [, label, text] = failures.find(([codes]) => codes.test(code)) ?? failed;
  return { label, sentence: `${text} (${code}).` };
}

const failed = [null, 'other', 'The connection failed'] as const;
