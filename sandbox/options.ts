import { join } from 'node:path';
import { commandFor, parseArguments, UsageError } from '../src/lib/programs.ts';
import type { SandboxOptions } from './server.ts';
import { type LatencyName, latencies } from './service/latency.ts';

export const help = `The sandbox: a reseller service of its own, for building and trying against.

Usage: ${commandFor('sandbox', '[--help] [--reset] [--fast] [--domains N] [--list-size N] [--ms-per-name N]')}

  --help           Print this.
  --reset          Delete all data and write the demo data.
  --fast           Answer at once; the same as SANDBOX_LATENCY=none.
  --domains N      Size of the demo portfolio when it is seeded; default 320.
  --list-size N    Domains that getdomainlist shows at most; default 200 as the service does, 0 for all.
  --ms-per-name N  Milliseconds that an availability check takes for each name, since a registry
                   is asked name by name; default 15, or 0 without latency.

Settings are environment variables:

  SANDBOX_PORT     Port to listen on. Default: 4001.
  SANDBOX_HOST     Address to listen on. Default: 127.0.0.1.
  SANDBOX_LATENCY  realistic: 100 to 300 ms for a call, 600 ms more for a purchase; or none. Default: realistic.
  DATA_DIR         Directory of its database file. Default: ./data.
`;

const maxDomains = 1_000_000;

type SandboxEnvironment = Readonly<Record<string, string | undefined>>;

/** The options of the program; null for `--help`. @throws UsageError */
export function readOptions(
  args: readonly string[],
  env: SandboxEnvironment,
): Omit<SandboxOptions, 'clock' | 'randomness'> | null {
  const { values } = parseArguments({
    args: [...args],
    options: {
      help: { type: 'boolean', short: 'h' },
      reset: { type: 'boolean' },
      fast: { type: 'boolean' },
      domains: { type: 'string' },
      'ms-per-name': { type: 'string' },
      'list-size': { type: 'string' },
    },
  });
  if (values.help) return null;
  const settings = readSettings(env);
  return {
    ...settings,
    latency: values.fast ? 'none' : settings.latency,
    reset: values.reset,
    domains: wholeNumber('--domains', values.domains, maxDomains),
    listSize: wholeNumber('--list-size', values['list-size'], maxDomains),
    msPerName: wholeNumber('--ms-per-name', values['ms-per-name'], 60_000),
  };
}

/** The settings in the environment. @throws UsageError */
function readSettings(env: SandboxEnvironment) {
  const { SANDBOX_PORT = '4001', SANDBOX_LATENCY = 'realistic', DATA_DIR = './data' } = env;
  return {
    port: wholeNumber('SANDBOX_PORT', SANDBOX_PORT, 65_535),
    host: env.SANDBOX_HOST ?? '127.0.0.1',
    latency: latencyName(SANDBOX_LATENCY),
    file: join(DATA_DIR, 'sandbox.sqlite'),
  };
}

function latencyName(text: string): LatencyName {
  if (Object.hasOwn(latencies, text)) return text as LatencyName;
  throw new UsageError(`SANDBOX_LATENCY must be one of ${Object.keys(latencies).join(', ')}.`);
}

function wholeNumber(name: string, text: string | undefined, most: number): number | undefined {
  if (text === undefined) return undefined;
  const number = Number(text);
  if (/^\d+$/.test(text) && number <= most) return number;
  throw new UsageError(`${name} must be a whole number from 0 to ${most}.`);
}
