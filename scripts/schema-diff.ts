import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { buildSchema, type GraphQLSchema } from 'graphql';
import { readArguments } from '../src/console/program.ts';
import { compareSchemas, type Reasons, report } from './schema-changes.ts';

const acceptedFile = 'schema.accepted.json';

const help = `Compares the graph with that of the last release. A breaking change fails, unless it is accepted.

Usage: npm run schema:diff -- [options]

  --base FILE_OR_COMMIT  Default: the newest tag v* before this commit.
  --head FILE            Default schema.graphql.
  --accepted FILE        Accepted changes with their reasons; default schema.accepted.json.
`;

const { values } = readArguments('schema:diff', help, {
  options: {
    base: { type: 'string' },
    head: { type: 'string', default: 'schema.graphql' },
    accepted: { type: 'string', default: acceptedFile },
  },
});

class DiffError extends Error {}

try {
  const base = values.base ?? newestRelease();
  if (base === null) process.stdout.write('There is no release: no tag v* to compare with.\n');
  else {
    const reasons = readReasons(values.accepted);
    const comparison = await compareSchemas(readBase(base), readHead(values.head), reasons);
    process.stdout.write(report(comparison));
    if (comparison.breaking.length > 0) process.exitCode = 1;
  }
} catch (error) {
  if (!(error instanceof DiffError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 2;
}

function newestRelease(): string | null {
  const args = ['tag', '--list', 'v*', '--sort=-v:refname', '--no-contains', 'HEAD'];
  const tags = execFileSync('git', args, { encoding: 'utf8' });
  return tags.split('\n')[0] || null;
}

function readBase(base: string): GraphQLSchema {
  return existsSync(base) ? readHead(base) : build(ofGit(base), base);
}

function readHead(file: string): GraphQLSchema {
  return build(readText(file), file);
}

function ofGit(ref: string): string {
  try {
    return execFileSync('git', ['show', '--end-of-options', `${ref}:schema.graphql`], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  } catch {
    throw new DiffError(
      `"${ref}" is neither a file nor a commit of this repository with a schema.graphql.`,
    );
  }
}

function build(text: string, source: string): GraphQLSchema {
  try {
    return buildSchema(text);
  } catch (error) {
    throw new DiffError(
      `"${source}" is not a schema: ${error instanceof Error ? error.message : ''}`,
    );
  }
}

function readReasons(file: string): Reasons {
  if (file === acceptedFile && !existsSync(file)) return {};
  let read: unknown;
  try {
    read = JSON.parse(readText(file));
  } catch (error) {
    if (error instanceof DiffError) throw error;
    throw new DiffError(`"${file}" is not JSON.`);
  }
  const isRight =
    typeof read === 'object' &&
    read !== null &&
    Object.values(read).every((reason) => typeof reason === 'string' && reason.trim() !== '');
  if (isRight) return read as Reasons;
  throw new DiffError(`"${file}" must be one object with a reason for each breaking change.`);
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    throw new DiffError(`"${file}" cannot be read.`);
  }
}
