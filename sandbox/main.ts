import { dropUnreadOutput, UsageError } from '../src/lib/programs.ts';
import { systemClock, systemRandomness } from '../src/lib/system.ts';
import { help, readOptions } from './options.ts';
import { type Sandbox, startSandbox } from './server.ts';
import { logins } from './service/seed.ts';

const print = (text: string) => process.stdout.write(`${text}\n`);

await main();

async function main(): Promise<void> {
  dropUnreadOutput(process);
  try {
    const options = readOptions(process.argv.slice(2), process.env);
    if (!options) return void print(help);
    const sandbox = await startSandbox({
      ...options,
      clock: systemClock,
      randomness: systemRandomness,
    });
    stopOnSignal(sandbox);
    print(greeting(sandbox));
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    process.stderr.write(`sandbox: ${message}\n`);
    // The exit codes of `console/program.ts`.
    process.exitCode = error instanceof UsageError ? 2 : 1;
  }
}

function greeting({ domainApiUrl, accountApiUrl, url }: Sandbox): string {
  return `
  The sandbox listens; nothing here costs money.

  Domain API   ${domainApiUrl}?action=…   ${logins.map(({ username }) => `${username} / ${username}-password`).join(', ')}
  Account API  ${accountApiUrl}/…   Bearer ${logins.map(({ token }) => token).join(', ')}
  Admin        ${url}/admin/calls and others, for tests
`;
}

function stopOnSignal(sandbox: Sandbox): void {
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(signal, async () => {
      await sandbox.close();
      process.exit(0);
    });
  }
}
