import { accountOf, openJournal } from '../../src/app/journal.ts';
import { readConfig } from '../../src/app/read-config.ts';
import type { Environment } from '../../src/config/read-values.ts';
import type { Journal } from '../../src/persistence/journal.ts';

/** Stops the purchases of a gateway with these settings and one tenant, as `purchases stop` does. */
export const stopPurchases = (env: Environment, reason: string): Promise<void> =>
  inJournal(env, async (journal, account) => {
    await journal.stop(account, { since: new Date(), reason });
  });

/** Allows the purchases again, as `purchases start` does. */
export const allowPurchases = (env: Environment): Promise<void> =>
  inJournal(env, async (journal, account) => {
    await journal.resume(account);
  });

/** Runs `act` on the journal of a gateway with these settings and one tenant. */
export async function inJournal(
  env: Environment,
  act: (journal: Journal, account: string) => Promise<void>,
): Promise<void> {
  const config = readConfig(env);
  const [tenant] = config.tenants;
  if (!tenant) throw new Error('There is no tenant.');
  const journal = await openJournal(config);
  try {
    await act(journal, accountOf(config, tenant));
  } finally {
    await journal.close();
  }
}
