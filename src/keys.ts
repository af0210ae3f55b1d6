import { parseArgs } from 'node:util';
import { makeKey } from './access/key-text.ts';
import { sha256Of } from './config/api-keys.ts';
import { ConfigError, readKeySettings } from './config/config.ts';
import {
  KeysFileError,
  parseStored,
  readKeysText,
  type StoredKey,
  type StoredKeys,
  writeKeys,
} from './config/keys-file.ts';
import { allAccessScopes, isAccessScope } from './kernel/caller.ts';
import { Fault } from './kernel/faults.ts';
import { parseDateOrInstant } from './kernel/instant.ts';
import { systemClock, systemEntropy } from './kernel/system.ts';

const help = `API keys of this gateway. A running gateway takes a change within two seconds.

Usage: npm run keys -- make <name> --scopes a,b [--tenant t] [--expires 2027-01-01] [--limits '{"perHour":20}']
       npm run keys -- list
       npm run keys -- revoke <name>

Scopes: ${allAccessScopes.join(', ')}.
The key is printed once, to standard output; what is kept is its hash, in the file that KEYS_FILE names.
Settings are those of the gateway; see npm start -- --help.
`;

// Exit codes: 0 when it was done, 1 when the file cannot be used, 2 when it was told to do something it can't.
const exitOf = { failed: 1, misused: 2 } as const;

/** It was told to do something it can't; the message is one sentence that says what to do. */
class Misuse extends Error {}

interface Settings {
  readonly file: string;
  readonly taken: readonly string[];
}

const say = (text: string) => process.stdout.write(`${text}\n`);
const complain = (exitCode: number, sentences: readonly string[]) => {
  process.exitCode = exitCode;
  process.stderr.write(`${sentences.map((one) => `keys: ${one}`).join('\n')}\n`);
};

function main(): void {
  const words = process.argv.slice(2);
  if (words[0] === '--help') return void say(help);
  try {
    say(obey(words, readKeySettings()));
  } catch (error) {
    if (error instanceof ConfigError) complain(exitOf.misused, error.problems);
    else if (error instanceof Misuse) complain(exitOf.misused, [error.message]);
    else if (error instanceof KeysFileError) complain(exitOf.failed, [error.message]);
    else if (isOfFiles(error))
      complain(exitOf.failed, [`The file cannot be written: ${error.code}.`]);
    else throw error;
  }
}

const isOfFiles = (error: unknown): error is NodeJS.ErrnoException =>
  error instanceof Error && 'syscall' in error;

/** Does it, and hands back what there is to say. */
function obey([order = '', ...words]: readonly string[], settings: Settings): string {
  const keys = parseStored(readKeysText(settings.file));
  if (order === 'make') return make(words, keys, settings);
  const { positionals } = understand(words, {});
  const [name, ...more] = positionals;
  if (order === 'list' && name === undefined) return listed(keys);
  if (order === 'revoke' && name !== undefined && more.length === 0) {
    return revoke(name, keys, settings);
  }
  throw new Misuse('Say make <name> --scopes …, list or revoke <name>; see --help.');
}

const options = {
  scopes: { type: 'string' },
  tenant: { type: 'string' },
  expires: { type: 'string' },
  limits: { type: 'string' },
} as const;

function understand<Options extends Partial<typeof options>>(
  words: readonly string[],
  some: Options,
) {
  try {
    return parseArgs({ args: [...words], options: some, allowPositionals: true });
  } catch (error) {
    throw new Misuse(error instanceof Error ? error.message : 'The arguments cannot be read.');
  }
}

function make(words: readonly string[], keys: StoredKeys, { file, taken }: Settings): string {
  const { positionals, values } = understand(words, options);
  const [name = '', ...more] = positionals;
  if (name === '' || more.length > 0) throw new Misuse('Say make <name> --scopes a,b; see --help.');
  if (name in keys || taken.includes(name)) {
    throw new Misuse(`There is a key named "${name}"; revoke it first, or take another name.`);
  }
  const { prefix, text } = makeKey(systemEntropy);
  const key: StoredKey = {
    prefix,
    sha256: sha256Of(text),
    scopes: scopesOf(values.scopes),
    made: systemClock.now().toISOString(),
    ...(values.expires !== undefined && { expires: expiryOf(values.expires) }),
    ...(values.tenant !== undefined && { tenant: values.tenant }),
    ...(values.limits !== undefined && { limits: parseLimits(values.limits) }),
  };
  const next = { ...keys, [name]: key };
  // What is wrong with a name, a tenant or limits is told here, as it would be of the file.
  assertUsable(next);
  writeKeys(file, next);
  process.stderr.write('keys: Keep it now: it is not shown again.\n');
  return text;
}

function revoke(name: string, keys: StoredKeys, { file, taken }: Settings): string {
  if (taken.includes(name)) {
    throw new Misuse(`"${name}" is a key of API_KEY or API_KEYS; take it out there.`);
  }
  if (!(name in keys)) throw new Misuse(`There is no key named "${name}".`);
  const { [name]: _revoked, ...rest } = keys;
  writeKeys(file, rest);
  return `The key "${name}" is revoked.`;
}

function listed(keys: StoredKeys): string {
  const lines = Object.entries(keys).map(([name, { prefix, scopes, expires, tenant }]) => {
    const facts = [
      `rg_${prefix}_…`,
      scopes.join(','),
      expires === undefined ? 'never expires' : `expires ${expires}`,
      ...(tenant === undefined ? [] : [`tenant ${tenant}`]),
    ];
    return `${name}  ${facts.join('  ')}`;
  });
  return lines.length > 0 ? lines.join('\n') : 'No key has been made.';
}

function scopesOf(text: string | undefined): readonly string[] {
  const scopes = (text ?? '').split(',').map((one) => one.trim());
  if (scopes.every(isAccessScope)) return [...new Set(scopes)];
  throw new Misuse(
    `--scopes takes a list such as domains:check,domains:read, of ${allAccessScopes.join(', ')}.`,
  );
}

function expiryOf(text: string): string {
  const at = instantOf(text);
  if (at === null) throw new Misuse('--expires takes a day such as 2027-01-01, or a time in UTC.');
  if (at <= systemClock.now()) throw new Misuse(`--expires ${text} is past.`);
  return at.toISOString();
}

function instantOf(text: string): Date | null {
  try {
    return parseDateOrInstant(text);
  } catch (error) {
    if (error instanceof Fault) return null;
    throw error;
  }
}

function parseLimits(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Misuse(`--limits takes JSON such as {"perHour":20}.`);
  }
}

function assertUsable(keys: StoredKeys): void {
  try {
    parseStored(JSON.stringify(keys));
  } catch (error) {
    if (error instanceof KeysFileError) throw new Misuse(error.message);
    throw error;
  }
}

main();
