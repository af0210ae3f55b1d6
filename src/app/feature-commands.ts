import { features } from '../features/index.ts';
import type { FeatureCommands } from '../lib/command-names.ts';
import type { CommandContext } from '../seam/feature.ts';
import { openAccount } from './open-account.ts';
import { readConfig } from './read-config.ts';

const context: CommandContext = {
  readConfig,
  openAccount,
  async connect(config, { login, urls }, opened) {
    const sandbox = {
      domainApiUrl: `http://127.0.0.1:${config.sandbox.port}/domain-api`,
      accountApiUrl: null,
    };
    const { connectForCommand } = await import('./upstream-clients.ts');
    return connectForCommand(config, login, urls ?? sandbox, opened);
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
