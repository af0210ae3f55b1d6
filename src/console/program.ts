import { fstatSync, openSync, read } from 'node:fs';
import { type ParseArgsConfig, promisify } from 'node:util';
import { type Config, ConfigError } from '../config/config.ts';
import { KeysFileError } from '../config/keys-file.ts';
import type { TenantConfig } from '../config/tenants.ts';
import { Fault } from '../kernel/faults.ts';
import { CsvError, checkEncoding } from '../lib/csv.ts';
import { StartError } from '../lib/errors.ts';
import { dropUnreadOutput, isHelpRequested, parseArguments, UsageError } from '../lib/programs.ts';

/** Exit codes of every program: 0 after success, `failed` for a failure, `misused` for wrong arguments or settings. `different` is that of a plan. */
export const exitCodes = {
  succeeded: 0,
  failed: 1,
  misused: 2,
  different: 2,
  killed: 130,
} as const;

export const print = (text: string): void => void process.stdout.write(`${text}\n`);

/** Writes sentences to standard error, one per line. */
export const printErrors = (
  program: string,
  sentences: readonly string[],
  write: (text: string) => void = (text) => void process.stderr.write(text),
): void => {
  for (const sentence of sentences) write(`${program}: ${sentence}\n`);
};

/** The first sentences of many, with the number of the others. */
export const withRest = (
  sentences: readonly string[],
  rest: number,
  what: string,
): readonly string[] => (rest > 0 ? [...sentences, `${rest} more ${what}.`] : sentences);

/**
 * The arguments of a development command. Prints `help` when that is requested, or why the arguments are wrong, and ends the process.
 */
export function readArguments<const Options extends ParseArgsConfig>(
  program: string,
  help: string,
  options: Options,
) {
  dropUnreadOutput(process);
  if (isHelpRequested(process.argv.slice(2))) {
    print(help);
    process.exit();
  }
  try {
    return parseArguments(options);
  } catch (error) {
    printErrors(program, describeFailure(error)?.sentences ?? [String(error)]);
    process.exit(exitCodes.misused);
  }
}

/** The words of a command, the name of a tenant, which may be absent, and whether `--yes` is there. @throws UsageError */
export function readTenantArguments(args: string[], { hasYes = false } = {}) {
  const { positionals, values } = parseArguments({
    args,
    options: { tenant: { type: 'string' }, ...(hasYes && { yes: { type: 'boolean' as const } }) },
    allowPositionals: true,
  });
  return { positionals, tenant: values.tenant ?? null, isConfirmed: 'yes' in values };
}

/** The arguments of a command with a file, such as `import FILE`. @throws UsageError */
export function readFileArguments<Command extends string>(
  args: string[],
  commands: readonly Command[],
) {
  const { positionals, ...options } = readTenantArguments(args, { hasYes: true });
  const [name, file, ...more] = positionals;
  const command = commands.find((one) => one === name);
  if (command === undefined || file === undefined || more.length > 0) {
    const forms = commands.map((one) => `${one} FILE`).join(', ');
    throw new UsageError(`Give a command and a file: ${forms}; see --help.`);
  }
  return { command, file, ...options };
}

/** The only word of a command. @throws UsageError */
export function readFolder([folder, ...more]: readonly string[]): string {
  if (folder !== undefined && folder !== '' && more.length === 0) return folder;
  throw new UsageError('Give one folder; see --help.');
}

/** Opens a file to read. @throws UsageError */
export function openInput(file: string): number {
  const sentence = `The file "${file}" cannot be opened; check its path and its permissions.`;
  const fd = parsed(() => openSync(file, 'r'), sentence);
  if (fstatSync(fd).isDirectory()) throw new UsageError(`"${file}" is a folder.`);
  return fd;
}

const readBytes = promisify(read);

/** The bytes of an open file from its start, or of a pipe. It leaves the file open, also when its reader ends early. */
export async function* readInput(fd: number): AsyncGenerator<Uint8Array, void> {
  const isFile = fstatSync(fd).isFile();
  for (let position = 0; ; ) {
    const buffer = new Uint8Array(65_536);
    const { bytesRead } = await readBytes(fd, buffer, 0, buffer.length, isFile ? position : null);
    if (bytesRead === 0) return;
    position += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}

/** So that a file in another encoding changes nothing; a pipe is read only once. @throws StartError */
export async function checkInput(fd: number): Promise<void> {
  if (!fstatSync(fd).isFile()) return;
  await checkEncoding(readInput(fd)).catch((error: unknown) => {
    if (!(error instanceof CsvError)) throw error;
    throw new StartError(`${error.message} Nothing was imported.`);
  });
}

/** Shows the progress of long work on a terminal, in one line that the next one replaces. */
export const printProgress = (text: string): void => {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${text}`);
};

/** The result of `parse`. @throws UsageError with `sentence`, or with that of the error of `parse`. */
export function parsed<T>(parse: () => T, sentence?: string): T {
  try {
    return parse();
  } catch (error) {
    throw new UsageError(sentence ?? (error instanceof Error ? error.message : String(error)));
  }
}

/** The exit code and the sentences of an expected error; null for any other, which is a bug. */
export function describeFailure(error: unknown) {
  if (error instanceof ConfigError) {
    return { exitCode: exitCodes.misused, sentences: error.errors };
  }
  if (error instanceof UsageError) {
    return { exitCode: exitCodes.misused, sentences: [error.message] };
  }
  if (error instanceof StartError || error instanceof KeysFileError || error instanceof Fault) {
    return { exitCode: exitCodes.failed, sentences: [error.message] };
  }
  return null;
}

/** @throws UsageError when the tenant is not clear. */
export function chooseTenant({ tenants }: Config, name: string | null): TenantConfig {
  const [only, ...others] = tenants;
  const chosen =
    name === null && others.length === 0 ? only : tenants.find((one) => one.name === name);
  if (chosen) return chosen;
  const names = tenants.map((one) => one.name).join(', ');
  throw new UsageError(`Choose a tenant: --tenant with one of ${names}, before the command.`);
}

/** Runs a command with its arguments and prints the text that it returns, or its error. Prints `help` when that is requested. */
export async function runCommand(
  program: string,
  help: string,
  command: (args: string[]) => string | Promise<string>,
): Promise<void> {
  dropUnreadOutput(process);
  const args = process.argv.slice(2);
  try {
    print(isHelpRequested(args) ? help : await command(args));
  } catch (error) {
    const failure = describeFailure(error);
    if (!failure) throw error;
    process.exitCode = failure.exitCode;
    printErrors(program, failure.sentences);
  }
}

/** Refused rows whose faults are printed; of the others only their number. */
const maxReported = 100;

/** The rows of a file that an import refuses. */
export class RefusedRows {
  readonly #sentences: string[] = [];
  #count = 0;

  get count(): number {
    return this.#count;
  }

  /** The last part of the path of a fault is the column. */
  add(line: number, faults: readonly Fault[]): void {
    this.#count += 1;
    if (this.#count > maxReported) return;
    for (const { message, inputPath } of faults) {
      this.#sentences.push(`${[`line ${line}`, ...inputPath.slice(-1)].join(', ')}: ${message}`);
    }
  }

  /** The command ends with a failure when a row was refused. */
  print(command: string): void {
    if (this.#count > 0) process.exitCode = exitCodes.failed;
    printErrors(command, withRest(this.#sentences, this.#count - maxReported, 'rows'));
  }
}
