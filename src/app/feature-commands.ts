import { features } from '../features/index.ts';
import { StartError } from '../lib/errors.ts';
import type { FeatureCommands } from '../lib/programs.ts';
import type { CommandContext, Feature } from '../seam/feature.ts';
import { selectFeatures } from './features.ts';
import { openAccount } from './journal.ts';
import { readConfig } from './read-config.ts';

const contextOf = (feature: Feature): CommandContext => ({
  domainCommands: Object.assign({}, ...features.map(({ domainCommands }) => domainCommands)),
  readConfig() {
    const config = readConfig();
    if (selectFeatures(features, config.server.features).includes(feature)) return config;
    throw new StartError(
      `This command belongs to the feature ${feature.name}, which FEATURES leaves out.`,
    );
  },
  openAccount,
  async connect(config, { login, urls }, opened) {
    const sandbox = {
      domainApiUrl: `http://127.0.0.1:${config.sandbox.port}/domain-api`,
      accountApiUrl: null,
    };
    const { connectForCommand } = await import('./upstream-clients.ts');
    return connectForCommand(config, login, urls ?? sandbox, opened);
  },
  async startHosted(config, log, caller) {
    const { startHosted } = await import('./compose.ts');
    return startHosted(config, { log }, caller);
  },
});

export interface RunnableCommand {
  readonly does: string;
  readonly run: () => Promise<unknown>;
}

/** The commands of features by name. */
export const featureCommands = Object.fromEntries(
  features.flatMap((feature) =>
    Object.entries(feature.commands ?? {}).map(([name, { does, run }]) => [
      name,
      { does, run: () => run(contextOf(feature)) },
    ]),
  ),
  // Each feature declares the names of its commands in `FeatureCommands`.
) as Readonly<Record<keyof FeatureCommands, RunnableCommand>>;
