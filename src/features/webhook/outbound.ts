import type { LookupAddress } from 'node:dns';
import { lookup as systemLookup } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import { Client } from 'undici';
import { isPublicAddress } from '../../lib/addresses.ts';
import type { Clock } from '../../lib/clock.ts';
import { errorCodeOf } from '../../lib/errors.ts';
import { failureSentence } from '../../lib/failure-sentence.ts';
import { raceAbort } from '../../lib/waits.ts';

/** The addresses of a host. Rejects when it has none. */
export type Resolve = (host: string) => Promise<readonly LookupAddress[]>;

export interface OutboundOptions {
  readonly clock: Pick<Clock, 'deadline'>;
  /** Whether addresses that are not public are allowed. */
  readonly allowsPrivate: boolean;
  /** Longest duration of a request. */
  readonly timeoutMs: number;
  /** Default: the resolver of the operating system. */
  readonly resolve?: Resolve | undefined;
}

export interface OutboundRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Aborts the request. */
  readonly stop: AbortSignal;
}

export interface OutboundResponse {
  readonly status: number;
  readonly retryAfter: string | readonly string[] | undefined;
  /** The beginning of the body. */
  readonly body: string;
}

/** A request without a response, in a sentence without secrets. */
interface OutboundFailure {
  readonly failure: string;
}

class Failure extends Error {}

/** A longer response body is not read. */
const maxBodyBytes = 64 * 1024;
/** The part of it that is returned. */
const maxTextBytes = 4 * 1024;

export const resolveBySystem: Resolve = (host) => systemLookup(host, { all: true });

/**
 * Sends requests to URLs that clients choose. Every connection resolves the host, checks all of its addresses and uses one of
 * them, so that a name cannot resolve to another address between the check and the connection.
 *
 * A connection serves one request. Redirects are not followed, TLS is always verified, and proxies of the environment are not used.
 */
export function createOutbound(options: OutboundOptions) {
  const { clock, timeoutMs } = options;
  const addressesOf = (host: string) => allowedAddresses(host, options);

  /** Returns all addresses, as `autoSelectFamily` requires. */
  const lookup: LookupFunction = (host, _options, done) => {
    addressesOf(host).then(
      (found) => done(null, [...found]),
      (error) => done(error, []),
    );
  };

  const send = async (
    { url, headers, body }: OutboundRequest,
    signal: AbortSignal,
  ): Promise<OutboundResponse> => {
    const { origin, pathname, search, hostname } = new URL(url);
    const host = hostOf(hostname);
    // A socket does not look up a literal address.
    if (isIP(host) > 0) await addressesOf(host);
    const client = new Client(origin, {
      connect: {
        timeout: timeoutMs,
        rejectUnauthorized: true,
        allowH2: false,
        lookup,
        autoSelectFamily: true,
      },
      headersTimeout: timeoutMs,
      bodyTimeout: timeoutMs,
    });
    try {
      const response = await client.request({
        method: 'POST',
        path: `${pathname}${search}`,
        signal,
        body,
        headers: { ...headers, 'accept-encoding': 'identity' },
      });
      const { statusCode: status, headers: received } = response;
      const text = await beginningOf(response.body);
      return { status, retryAfter: received['retry-after'], body: text };
    } finally {
      // Not awaited: a socket that does not close is destroyed by its timeout.
      void client.destroy();
    }
  };

  /** The result of `work`, or why it failed, after `timeoutMs` at most. @throws the reason of `stop` */
  const within = async <T>(
    stop: AbortSignal | undefined,
    work: (signal: AbortSignal) => Promise<T>,
  ): Promise<T | OutboundFailure> => {
    using deadline = clock.deadline(timeoutMs, stop);
    const { signal } = deadline;
    try {
      return await work(signal);
    } catch (error) {
      stop?.throwIfAborted();
      if (error instanceof Failure) return { failure: error.message };
      if (!signal.aborted) return { failure: failureSentence(error) };
      return { failure: `There was no response within ${timeoutMs / 1_000} seconds.` };
    }
  };

  return {
    /** Why the host of a URL cannot receive requests; null when it can. */
    async flawOf(url: string): Promise<string | null> {
      const host = hostOf(new URL(url).hostname);
      // A lookup cannot be cancelled.
      const found = await within(undefined, async (signal) => {
        await raceAbort(addressesOf(host), signal);
        return null;
      });
      return found?.failure ?? null;
    },
    /** Any response, also one with an error. @throws the reason of `stop` */
    post: (request: OutboundRequest): Promise<OutboundResponse | OutboundFailure> =>
      within(request.stop, (signal) => send(request, signal)),
  };
}

/** @throws Failure when the host has no address, or one that is not allowed. */
async function allowedAddresses(
  host: string,
  { allowsPrivate, resolve = resolveBySystem }: OutboundOptions,
): Promise<readonly LookupAddress[]> {
  const family = isIP(host);
  const found =
    family > 0
      ? [{ address: host, family }]
      : await resolve(host).catch((error: unknown) => {
          const code = errorCodeOf(error);
          throw new Failure(`The host cannot be resolved${code ? ` (${code})` : ''}.`);
        });
  if (found.length === 0) throw new Failure('The host has no address.');
  if (allowsPrivate || found.every(({ address }) => isPublicAddress(address))) return found;
  throw new Failure(
    'The host has an address that is not public; WEBHOOKS_ALLOW_PRIVATE=true allows it.',
  );
}

export type Outbound = ReturnType<typeof createOutbound>;

/** A host without the brackets of IPv6. */
const hostOf = (hostname: string): string =>
  hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;

/** Reads a body, so that a short response is not interrupted. Its status has arrived, so it cannot fail any more. */
async function beginningOf(body: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of body) {
      if (bytes < maxTextBytes) chunks.push(chunk);
      bytes += chunk.length;
      if (bytes > maxBodyBytes) break;
    }
  } catch {
    // The deadline, or a connection that broke.
  }
  return Buffer.concat(chunks).subarray(0, maxTextBytes).toString();
}
