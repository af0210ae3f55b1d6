import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type Account, openThree } from './accounts.ts';
import { auditCalls, type Traces, tracesOf } from './ledger.ts';
import { kinds, type Question, questions } from './questions.ts';

/** A question that some of the tenants ask at the same moment. */
interface Step {
  readonly kind: string;
  readonly at: number;
  readonly who: readonly number[];
}

const step = fc.record<Step>({
  kind: fc.constantFrom(...kinds),
  at: fc.nat(999),
  // The same of all of them most of the time: what may be shared by mistake is asked for together.
  who: fc.constantFrom([0, 1, 2], [2, 1, 0], [1, 0, 2], [0, 1], [2, 0], [1, 2], [0], [1], [2]),
});

const stepsAtOnce = 12;
const burst = fc.array(step, { minLength: stepsAtOnce, maxLength: stepsAtOnce });
/** Bursts one after another; within one everything is under way at once. */
const bursts = fc.array(burst, { minLength: 3, maxLength: 3 });

export interface Rounds {
  readonly rounds: number;
  /** Of chance; the same one does the same. */
  readonly seed?: number;
}

/**
 * Lets three tenants ask one gateway in an order of chance, and holds every answer against what the asker's own account
 * has, every upstream call against what its login was asked for, and the books in the end.
 *
 * @returns how many purchases were asked.
 * @throws Error with the seed when anything crossed.
 */
export async function runInterleavings({ rounds, seed }: Rounds): Promise<number> {
  // Without DEVELOPMENT, so that answers are told again as they were.
  const env = {
    DEVELOPMENT: 'false',
    // On a machine that is busy with other tests nothing of this is to be given up.
    UPSTREAM_TIMEOUT_MS: '60000',
    TLD_MAX_AGE_SECONDS: '600',
    DOMAIN_MAX_AGE_SECONDS: '600',
    AVAILABILITY_MAX_AGE_SECONDS: '60',
  };
  const { gateway, accounts, close } = await openThree({ env, sandboxListSize: 0 });
  try {
    // Calls that take a while are shared and gathered.
    await gateway.admin('POST', '/latency', { perCallMs: 3 });
    const all = accounts.map(tracesOf);
    let asked = 0;
    let round = 0;
    const property = fc.asyncProperty(bursts, async (some) => {
      round += 1;
      for (const steps of some) {
        const asking = steps.flatMap(({ kind, at, who }) => {
          const question = questions[kind]?.({ at, round, all });
          return question ? who.map((one) => ask(question, all[one])) : [];
        });
        asked += asking.length;
        await Promise.all(asking);
      }
      assert.deepEqual(await auditCalls(gateway, all), []);
    });
    const options = { numRuns: rounds, endOnFailure: true };
    await fc.assert(property, seed === undefined ? options : { ...options, seed });
    for (const traces of all) await auditBooks(gateway, traces);
    return asked;
  } finally {
    await close();
  }
}

async function ask({ query, variables, expect, check }: Question, traces: Traces | undefined) {
  assert.ok(traces);
  expect(traces);
  const { tenant, ask } = traces.account;
  const { data, errors } = await ask(query, variables(tenant));
  assert.equal(errors, undefined, `${tenant}: ${JSON.stringify(errors)}`);
  check(traces, data);
}

interface Books {
  readonly balances: readonly { readonly currency: string; readonly balance: string }[];
  readonly purchases: readonly { readonly domain: string; readonly price: string }[];
}

/** What the account has paid for is what the gateway tells its tenant, and nothing else is missing from the balance. */
async function auditBooks(
  gateway: Awaited<ReturnType<typeof openThree>>['gateway'],
  { account }: Traces,
) {
  const books = (await gateway.admin('GET', `/state?reseller=${account.user}`)) as Books;
  const bought: string[] = [];
  let after: string | null = null;
  do {
    const { data } = await succeeded(account, after);
    const { nodes, pageInfo } = data.purchases;
    for (const { domainName } of nodes) bought.push(domainName);
    after = pageInfo.hasNextPage ? pageInfo.endCursor : null;
  } while (after);
  const paid = books.purchases.map(({ domain }) => domain);
  assert.deepEqual(bought.toSorted(), paid.toSorted(), `the purchases of ${account.tenant}`);
  const cents = (text: string) => Math.round(Number(text) * 100);
  const spent = books.purchases.reduce((sum, { price }) => sum + cents(price), 0);
  const left = books.balances.find(({ currency }) => currency === 'USD')?.balance ?? '';
  assert.equal(cents(left), cents(account.balance) - spent, `the balance of ${account.tenant}`);
}

const succeeded = (account: Account, after: string | null) =>
  account.ask(
    `query ($after: String) { purchases(first: 100, after: $after, filter: { states: [SUCCEEDED] }) {
      nodes { domainName } pageInfo { hasNextPage endCursor } } }`,
    { after },
  );
