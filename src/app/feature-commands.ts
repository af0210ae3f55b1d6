import { features } from '../features/index.ts';
import type { FeatureCommands } from '../lib/command-names.ts';
import type { CommandContext } from '../seam/feature.ts';
import { selectFeatures } from './features.ts';
import { accountOf, openJournal, requireJournal } from './journal.ts';
import { readConfig } from './read-config.ts';

const context: CommandContext = {
  readConfig,
  async openAccount(config, tenant) {
    requireJournal(config);
    const selected = selectFeatures(features, config.server.features);
    const tables = selected.flatMap(({ tables = [] }) => tables);
    return { journal: await openJournal(config, { tables }), account: accountOf(config, tenant) };
  },
};

export interface RunnableCommand {
  readonly does: string;
  readonly run: () => Promise<unknown>;
}

/** The commands of features by name. */
export const featureCommands = Object.fromEntries(
  features.flatMap(({ commands = {} }) =>
    Object.entries(commands).map(([name, { does, run }]) => [
      name,
      { does, run: () => run(context) },
    ]),
  ),
  // Each feature declares the names of its commands in `FeatureCommands`.
) as Readonly<Record<keyof FeatureCommands, RunnableCommand>>;
