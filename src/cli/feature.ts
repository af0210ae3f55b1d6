import { featureCommands, type RunnableCommand } from '../app/feature-commands.ts';

// Runs a command of a feature: node src/cli/run.mjs src/cli/feature NAME [arguments]

const [name = ''] = process.argv.splice(2, 1);
const command = new Map(Object.entries<RunnableCommand>(featureCommands)).get(name);
if (!command) throw new Error(`No feature has the command "${name}".`);
await command.run();
