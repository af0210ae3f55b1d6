import { commandFor } from '../lib/command-names.ts';
import { settings } from './settings.ts';

export function helpText(): string {
  const rows = settings.map(({ name, default: shown, description, secret }) => {
    const file = secret ? ` Or ${name}_FILE: a file with the value.` : '';
    return `  ${name.padEnd(20)} ${description.replaceAll('`', '')}${file}\n${' '.repeat(23)}Default: ${shown.replaceAll('`', '')}.`;
  });
  return [
    'reseller-graph: one GraphQL graph over the two APIs of a domain reseller.',
    '',
    `Usage: ${commandFor('start', '[--help] [--reset] [--fast]')}`,
    '',
    '  --help     Print this.',
    '  --reset    Delete the data of the embedded sandbox and its purchase journal before the start.',
    '  --fast     Remove the latency of the embedded sandbox, as SANDBOX_LATENCY=none.',
    '',
    'Settings are environment variables:',
    '',
    ...rows,
    '',
  ].join('\n');
}
