import type { Call } from './call.ts';
import type { SettableClock } from './clock.ts';

/** One call as `GET /admin/calls` shows it. */
export interface LoggedCall {
  readonly action: string;
  readonly domain?: string;
  readonly domains?: readonly string[];
  /** The user name of the login; absent for the Account API. */
  readonly reseller?: string;
  /** By the sandbox's clock, ISO 8601. */
  readonly at: string;
  /** The HTTP status that was sent; `null` while there is none, or when the connection ended without one. */
  status: number | null;
}

/** Number of calls that are held in memory; the counts include older ones. */
const longestLog = 20_000;

/** Every call of both surfaces in the order of arrival, in memory. */
export interface CallLog {
  add(call: Call): LoggedCall;
  list(): readonly LoggedCall[];
  /** Calls by action: of one reseller, or of all. */
  counts(username?: string): Readonly<Record<string, number>>;
  clear(): void;
}

export function createCallLog(clock: SettableClock): CallLog {
  let calls: LoggedCall[] = [];
  const counts = new Map<string, Map<string, number>>();

  return {
    add({ action, domain, domains, username }) {
      const logged = {
        action,
        ...(domain !== undefined && { domain }),
        ...(domains && { domains }),
        ...(username !== undefined && { reseller: username }),
        at: clock.now().toISOString(),
        status: null,
      };
      if (calls.length >= longestLog) calls = calls.slice(longestLog / 2);
      calls.push(logged);
      const user = username ?? '';
      const ofUser = counts.get(user) ?? new Map<string, number>();
      counts.set(user, ofUser.set(action, (ofUser.get(action) ?? 0) + 1));
      return logged;
    },
    list: () => calls,
    counts(username) {
      const chosen = username === undefined ? [...counts.values()] : [counts.get(username)];
      const sums: Record<string, number> = {};
      for (const [action, count] of chosen.flatMap((one) => [...(one ?? [])])) {
        sums[action] = (sums[action] ?? 0) + count;
      }
      return sums;
    },
    clear() {
      calls = [];
      counts.clear();
    },
  };
}
