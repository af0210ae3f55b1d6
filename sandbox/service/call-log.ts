import type { SettableClock } from './clock.ts';
import type { Reply } from './http.ts';

/** A parsed call of one of the two APIs, before it is executed. */
export interface Call {
  /** `getdetails`, or `POST /carts` on the Account API. */
  readonly action: string;
  /** The one name that it is about, as it was sent. */
  readonly domain?: string | undefined;
  /** The names of a bulk check. */
  readonly domains?: readonly string[] | undefined;
  readonly username?: string | undefined;
  /** Whether it changes anything. */
  readonly writes: boolean;
  /** Executes it in at most one transaction. Never throws a refusal: that is a reply too. */
  readonly run: () => Reply;
  /** A failure in the envelope of the API. `code` is an `API_…` code, or its number; `reason` is its sentence. */
  readonly failure: (code: string, reason?: string) => Reply;
}

/** One call as `GET /admin/calls` returns it. */
interface LoggedCall extends Pick<Call, 'action' | 'domain' | 'domains'> {
  /** The user name of the login; absent for the Account API. */
  readonly reseller: string | undefined;
  /** By the sandbox's clock, ISO 8601. */
  readonly at: string;
  /** The HTTP status that was sent; `null` before, and when the connection ended without one. */
  status: number | null;
}

/** Number of calls that are held in memory. */
const maxLogLength = 20_000;

/** Every call of both APIs in the order of arrival, in memory. */
export function createCallLog(clock: SettableClock) {
  let calls: LoggedCall[] = [];

  return {
    add({ action, domain, domains, username }: Call): LoggedCall {
      const at = clock.now().toISOString();
      const logged = { action, domain, domains, reseller: username, at, status: null };
      if (calls.length >= maxLogLength) calls = calls.slice(maxLogLength / 2);
      calls.push(logged);
      return logged;
    },
    list: (): readonly LoggedCall[] => calls,
    clear(): void {
      calls = [];
    },
  };
}
