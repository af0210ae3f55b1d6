import type { TestGateway } from '../support/gateway.ts';
import type { Account } from './accounts.ts';

/** The calls and purchases that a tenant may have caused so far. */
export interface Traces {
  readonly account: Account;
  /** Domains in its queries: the only ones that calls with its login may name. */
  readonly named: Set<string>;
  /** Actions and names that a call with its login must have: `getdetails a.com`. */
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

/** One sentence for each call with the login of another tenant and for each missing call. */
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

/** Single and bulk checks are the same kind. */
const kindOf = (action: string) => (action.endsWith('checkavailability') ? 'check' : action);
