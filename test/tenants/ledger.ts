import type { TestGateway } from '../support/gateway.ts';
import type { Account } from './accounts.ts';

/** What a tenant may rightly have caused and seen so far. */
export interface Traces {
  readonly account: Account;
  /** Domains that it has asked about in any way: all that calls with its login may name. */
  readonly named: Set<string>;
  /** Names and actions that a call with its login must have asked for: `getdetails a.com`. */
  readonly due: Set<string>;
  /** Actions and names of all calls with its login; a list stands for every name. */
  readonly called: Set<string>;
  /** Names that it tried to buy, by its key. */
  readonly orders: Map<string, string>;
  /** Ids of its purchases. */
  readonly purchases: Set<string>;
}

export const tracesOf = (account: Account): Traces => ({
  account,
  named: new Set(),
  due: new Set(),
  called: new Set(),
  orders: new Map(),
  purchases: new Set(),
});

/** One sentence for each call that a login made for somebody else, or that somebody should have made and did not. */
export async function auditCalls(
  gateway: TestGateway,
  traces: readonly Traces[],
): Promise<readonly string[]> {
  const byUser = new Map(traces.map((one) => [one.account.user, one]));
  const problems: string[] = [];
  for (const { action, domain, domains = [], reseller = '' } of await gateway.upstreamCalls()) {
    const owner = byUser.get(reseller);
    if (!owner) {
      problems.push(`${action} was called as "${reseller}"`);
      continue;
    }
    owner.called.add(action);
    for (const name of domain === undefined ? domains : [domain]) {
      if (!owner.named.has(name)) problems.push(`${reseller} called ${action} of ${name}`);
      owner.called.add(`${kindOf(action)} ${name}`);
    }
  }
  await gateway.resetCalls();
  for (const { account, due, called } of traces) {
    for (const one of due) if (!called.has(one)) problems.push(`${account.user} missed ${one}`);
  }
  return problems;
}

/** One name or several: a check is a check. */
const kindOf = (action: string) => (action.endsWith('checkavailability') ? 'check' : action);
