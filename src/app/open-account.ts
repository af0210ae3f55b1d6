import type { Config } from '../config/config.ts';
import type { TenantConfig } from '../config/tenants.ts';
import { features } from '../features/index.ts';
import type { CommandTrail } from '../kernel/recorder.ts';
import type { OpenAccount } from '../seam/feature.ts';
import { selectFeatures } from './features.ts';
import { accountOf, openJournal, requireJournal } from './journal.ts';

/** Opens the journal of a gateway that was started before, for a command. @throws StartError or Fault `JOURNAL_UNAVAILABLE` */
export async function openAccount(config: Config, tenant: TenantConfig): Promise<OpenAccount> {
  requireJournal(config);
  const account = accountOf(config, tenant);
  const selected = selectFeatures(features, config.server.features);
  const tables = selected.flatMap((feature) => feature.tables ?? []);
  const createTrail = await selected.find((feature) => feature.commandTrail)?.commandTrail?.();
  const journal = await openJournal(config, { tables });
  return { journal, account, trail: createTrail?.(journal.database, account) ?? noTrail };
}

const noTrail: CommandTrail = {
  begin: async () => async () => undefined,
  add: async () => undefined,
};
