import { settings } from './settings.ts';

/** What `--help` prints: the two options, then one paragraph per setting. */
export function helpText(): string {
  const rows = settings.map(({ name, default: shown, description, secret }) => {
    const file = secret ? ` Or ${name}_FILE: a file that holds it.` : '';
    return `  ${name.padEnd(20)} ${description.replaceAll('`', '')}${file}\n${' '.repeat(23)}Default: ${shown.replaceAll('`', '')}.`;
  });
  return [
    'reseller-graph: one GraphQL graph over the two APIs of a domain reseller.',
    '',
    'Usage: npm start -- [--help] [--reset] [--fast]',
    '',
    '  --help     Print this.',
    '  --reset    Forget what the sandbox holds, and what was bought in it, before starting.',
    '  --fast     Let the sandbox answer at once; the same as SANDBOX_LATENCY=none.',
    '',
    'Settings are environment variables:',
    '',
    ...rows,
    '',
  ].join('\n');
}
