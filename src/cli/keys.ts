// First: it adds the scopes of features.
import '../features/index.ts';
import { hash } from 'node:crypto';
import { makeKey } from '../access/keyring.ts';
import { type KeySettings, readKeySettings } from '../config/config.ts';
import {
  parseStored,
  readKeysText,
  type StoredKey,
  type StoredKeys,
  writeKeys,
} from '../config/keys-file.ts';
import { parsed, printErrors, runCommand } from '../console/program.ts';
import { allAccessScopes, isAccessScope } from '../kernel/caller.ts';
import { tryParseInstant } from '../kernel/instant.ts';
import { secondMember } from '../lib/json.ts';
import { commandFor, parseArguments, UsageError } from '../lib/programs.ts';
import { systemClock, systemRandomBytes } from '../lib/system.ts';

const help = `API keys of this gateway. A running gateway applies a change within two seconds.

Usage: ${commandFor('keys', 'make <name> --scopes a,b [--tenant t] [--expires 2027-01-01]')} [--limits '{"perHour":20}'] [--customer c]
       ${commandFor('keys', 'list')}
       ${commandFor('keys', 'revoke <name>')}

Scopes: ${allAccessScopes.join(', ')}.
The key is printed once, to standard output. KEYS_FILE stores its hash only.
The settings are those of the gateway; see ${commandFor('start', '--help')}.
`;

const options = {
  scopes: { type: 'string' },
  tenant: { type: 'string' },
  customer: { type: 'string' },
  expires: { type: 'string' },
  limits: { type: 'string' },
} as const;

const notShared =
  'DATABASE_URL allows several replicas: set KEYS_FILE to a file that all of them read, or put the key into API_KEYS.';

await runCommand('keys', help, ([command = '', ...args]) => run(command, args, readKeySettings()));

/** Returns the text to print. */
function run(command: string, args: string[], settings: KeySettings): string {
  const keys = parseStored(readKeysText(settings.file));
  if (command === 'make') {
    if (settings.isOfOneReplica) throw new UsageError(notShared);
    return make(args, keys, settings);
  }
  const { positionals } = parseArguments({ args, allowPositionals: true });
  const [name, ...more] = positionals;
  if (command === 'list' && name === undefined) return list(keys);
  if (command === 'revoke' && name !== undefined && more.length === 0) {
    return revoke(name, keys, settings);
  }
  throw new UsageError(
    'Give a command: make <name> --scopes …, list or revoke <name>; see --help.',
  );
}

function make(args: string[], keys: StoredKeys, { file, taken }: KeySettings): string {
  const { positionals, values } = parseArguments({ args, options, allowPositionals: true });
  const [name = '', ...more] = positionals;
  if (name === '' || more.length > 0)
    throw new UsageError('Give one name: make <name> --scopes a,b; see --help.');
  if (taken.includes(name)) {
    throw new UsageError(`The key "${name}" is in API_KEY or API_KEYS; choose another name.`);
  }
  if (name in keys) {
    throw new UsageError(`The key "${name}" exists; revoke it first, or choose another name.`);
  }
  const { prefix, text } = makeKey(systemRandomBytes);
  const key: StoredKey = {
    prefix,
    sha256: hash('sha256', text),
    scopes: scopesOf(values.scopes),
    made: systemClock.now().toISOString(),
    ...(values.expires !== undefined && { expires: expiryOf(values.expires) }),
    ...(values.tenant !== undefined && { tenant: values.tenant }),
    ...(values.customer !== undefined && { customer: values.customer }),
    ...(values.limits !== undefined && { limits: limitsOf(values.limits) }),
  };
  const next = { ...keys, [name]: key };
  // The checks of the file also cover the name, the tenant and the limits.
  parsed(() => parseStored(JSON.stringify(next)));
  writeKeys(file, next);
  printErrors('keys', ['Store the key now; it is not shown again.']);
  return text;
}

function revoke(name: string, keys: StoredKeys, { file, taken }: KeySettings): string {
  if (taken.includes(name)) {
    throw new UsageError(`The key "${name}" is in API_KEY or API_KEYS; remove it there.`);
  }
  if (!(name in keys)) throw new UsageError(`The key "${name}" does not exist.`);
  const { [name]: _revoked, ...rest } = keys;
  writeKeys(file, rest);
  return `The key "${name}" is revoked.`;
}

function list(keys: StoredKeys): string {
  const lines = Object.entries(keys).map(
    ([name, { prefix, scopes, expires, tenant, customer, limits }]) => {
      const facts = [
        `rg_${prefix}_…`,
        scopes.join(','),
        expires === undefined ? 'never expires' : `expires ${expires}`,
        ...(tenant === undefined ? [] : [`tenant ${tenant}`]),
        ...(customer === undefined ? [] : [`customer ${customer}`]),
        ...(limits === undefined ? [] : [`limits ${JSON.stringify(limits)}`]),
      ];
      return `${name}  ${facts.join('  ')}`;
    },
  );
  return lines.length > 0 ? lines.join('\n') : 'There are no keys.';
}

function scopesOf(text: string | undefined): readonly string[] {
  const scopes = (text ?? '').split(',').map((one) => one.trim());
  if (scopes.every(isAccessScope)) return [...new Set(scopes)];
  throw new UsageError(
    `--scopes must be a list such as domains:check,domains:read; the scopes are ${allAccessScopes.join(', ')}.`,
  );
}

function limitsOf(text: string): unknown {
  const limits = parsed(() => JSON.parse(text), '--limits must be JSON such as {"perHour":20}.');
  const second = secondMember(text);
  if (second !== null) throw new UsageError(`--limits has ${second}; remove one of the two.`);
  return limits;
}

function expiryOf(text: string): string {
  const isDate = /^\d{4}-\d{2}-\d{2}$/.test(text.trim());
  const at = tryParseInstant(isDate ? `${text.trim()}T00:00Z` : text);
  if (at === null)
    throw new UsageError('--expires must be a date such as 2027-01-01, or a time in UTC.');
  if (at <= systemClock.now()) throw new UsageError(`--expires ${text} is in the past.`);
  return at.toISOString();
}
