import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type Account, openThree } from './accounts.ts';
import { auditCalls, type Traces, tracesOf } from './ledger.ts';
import { kinds, type Question, questions } from './questions.ts';

/** A query that some of the tenants send concurrently. */
interface Step {
  readonly kind: string;
  readonly at: number;
  readonly who: readonly number[];
}

const step = fc.record<Step>({
  kind: fc.constantFrom(...kinds),
  at: fc.nat(999),
  // Mostly the same query of all tenants, because concurrent equal queries could be shared by mistake.
  who: fc.constantFrom([0, 1, 2], [2, 1, 0], [1, 0, 2], [0, 1], [2, 0], [1, 2], [0], [1], [2]),
});

const stepsAtOnce = 12;
const burst = fc.array(step, { minLength: stepsAtOnce, maxLength: stepsAtOnce });
/** Bursts in sequence; the requests of one burst are concurrent. */
const bursts = fc.array(burst, { minLength: 3, maxLength: 3 });

export interface Rounds {
  readonly rounds: number;
  /** The random seed; a seed repeats its run. */
  readonly seed?: number;
}

/**
 * Sends queries of three tenants to one gateway in random order. Compares every response with the account of the tenant,
 * every upstream call with the queries of its login, and finally the balances.
 *
 * @returns the number of queries.
 * @throws Error with the seed when data of one tenant reached another.
 */
export async function runInterleavings({ rounds, seed }: Rounds): Promise<number> {
  // Without DEVELOPMENT, so that responses are cached.
  const env = {
    DEVELOPMENT: 'false',
    // Calls must not time out on a busy machine.
    UPSTREAM_TIMEOUT_MS: '60000',
    TLD_MAX_AGE_SECONDS: '600',
    DOMAIN_MAX_AGE_SECONDS: '600',
    AVAILABILITY_MAX_AGE_SECONDS: '60',
  };
  const { gateway, accounts, close } = await openThree({ env, sandboxListSize: 0 });
  try {
    // Calls of some duration are shared and batched.
    await gateway.admin('POST', '/latency', { perCallMs: 3 });
    const all = accounts.map(tracesOf);
    let sent = 0;
    let round = 0;
    const property = fc.asyncProperty(bursts, async (some) => {
      round += 1;
      for (const steps of some) {
        const pending = steps.flatMap(({ kind, at, who }) => {
          const question = questions[kind]?.({ at, round, all });
          return question ? who.map((one) => sendAndCheck(question, all[one])) : [];
        });
        sent += pending.length;
        await Promise.all(pending);
      }
      assert.deepEqual(await auditCalls(gateway, all), []);
    });
    const options = { numRuns: rounds, endOnFailure: true };
    await fc.assert(property, seed === undefined ? options : { ...options, seed });
    for (const traces of all) await auditBooks(gateway, traces);
    return sent;
  } finally {
    await close();
  }
}

async function sendAndCheck(
  { query, variables, expect, check }: Question,
  traces: Traces | undefined,
) {
  assert.ok(traces);
  expect(traces);
  const { tenant, send } = traces.account;
  const { data, errors } = await send(query, variables(tenant));
  assert.equal(errors, undefined, `${tenant}: ${JSON.stringify(errors)}`);
  check(traces, data);
}

interface Books {
  readonly balances: readonly { readonly currency: string; readonly balance: string }[];
  readonly purchases: readonly { readonly domain: string; readonly price: string }[];
}

/** Checks that the gateway lists exactly the debited purchases, and that the balance has no other debit. */
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
  account.send(
    `query ($after: String) { purchases(first: 100, after: $after, filter: { states: [SUCCEEDED] }) {
      nodes { domainName } pageInfo { hasNextPage endCursor } } }`,
    { after },
  );
