import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { exitCodes, print, printErrors, readArguments } from '../../src/console/program.ts';
import {
  developing,
  inPackage,
  installing,
  isOfTests,
  long,
  notRun,
  operating,
  partOf,
  type Run,
  readCommands,
} from '../../test/docs/commands.ts';
import { blocksOf, root } from '../../test/docs/markdown.ts';
import { type Form, makeClone, makeEmptyFolder, withOwnPorts } from './forms.ts';
import { type Outcome, tryCommand } from './trial.ts';

const help = `Runs every command of the documents in a fresh clone and in an empty folder with the npm package.

Usage: npm run commands -- [--quick] [--only TEXT]

  --quick      Runs the installations, and in the clone the commands of users and operators only.
  --only TEXT  After the installation, runs the commands with this text only.

The clone has the last commit. It takes about four minutes on two cores, with --quick about one.
`;
const { values } = readArguments('commands', help, {
  options: { only: { type: 'string', default: '' }, quick: { type: 'boolean', default: false } },
});

const documented = readCommands();
const outcomes: Outcome[] = [];
/** Sentences about the first responses after an installation. */
const firstResponses: string[] = [];

async function tryOne(name: string, text: string, run: Run, form: Form): Promise<Outcome> {
  const outcome = { name, form: form.name, ...(await tryCommand(text, run, form)) };
  outcomes.push(outcome);
  const result = outcome.failure === null ? 'ok    ' : 'FAILED';
  const seconds = outcome.seconds.toFixed(1).padStart(6);
  print(`${result} ${seconds} s  ${form.name.padEnd(7)}  ${name}`);
  if (outcome.failure !== null) printErrors('commands', [outcome.failure]);
  return outcome;
}

/** Runs commands one after the other, in the clone as they are written, or as users of the package write them. */
async function tryAll(runs: Readonly<Record<string, Run>>, form: Form): Promise<void> {
  for (const [name, run] of Object.entries(runs)) {
    if (!name.includes(values.only)) continue;
    const toForm = (text: string) => (form.name === 'clone' ? text : (inPackage(text) ?? text));
    const text = run.as ?? documented.get(name)?.text ?? name;
    const during = run.during === undefined ? {} : { during: toForm(run.during) };
    await tryOne(toForm(name), toForm(text), { ...run, ...during }, form);
  }
}

/** The JavaScript of docs/embedding.md in the package's folder, which has the packages that it imports. */
const examples = blocksOf('docs/embedding.md', 'js');
const isOfExpress = (example: string) => example.includes("from 'express'");

async function tryExample(example: string, form: Form): Promise<Outcome> {
  const number = examples.indexOf(example) + 1;
  const file = `example-${number}.js`;
  writeFileSync(join(form.folder, file), example.replace('3000', String(form.ports['3000'])));
  const [, path] = /use\('(.*?)'/.exec(example) ?? [];
  const run = example.includes('listen(')
    ? { responds: `3000${path ?? ''}/graphql` }
    : { prints: '{"data":{' };
  return tryOne(`docs/embedding.md, example ${number}`, `node ${file}`, run, form);
}

const lockedIn = (folder: string) =>
  JSON.parse(readFileSync(join(root, folder, 'package-lock.json'), 'utf8')).packages;
// Express is a package of the conformance tests.
const locked = { ...lockedIn('src/features/mcp/test/conformance'), ...lockedIn('.') };
const addPackages = (names: readonly string[], form: Form): Promise<Outcome> => {
  const versions = names.map((name) => `${name}@${locked[`node_modules/${name}`].version}`);
  return tryOne(`packages of the examples`, `npm install ${versions.join(' ')}`, {}, form);
};

/** Installs both forms, and measures the first response of the package. */
async function install(clone: Form, empty: Form): Promise<void> {
  const [start, pack, add, first] = Object.keys(installing) as [string, string, string, string];
  const tryInstalling = async (name: string, form: Form) => {
    const outcome = await tryOne(name, name, installing[name] ?? {}, form);
    if (outcome.failure === null) return outcome;
    printErrors('commands', ['The other commands need this one.']);
    process.exit(exitCodes.failed);
  };
  await tryInstalling(start, clone);
  await tryInstalling(pack, clone);
  const tarball = add.replace('npm install ', '');
  copyFileSync(join(clone.folder, tarball), join(empty.folder, tarball));
  await tryInstalling(add, empty);
  noteFirst(await tryInstalling(first, empty));
}

/** The seconds depend on the machine, so they are printed and not judged. */
function noteFirst({ name, firstResponseSeconds: seconds }: Outcome): void {
  if (seconds !== null)
    firstResponses.push(`${name}: ${seconds.toFixed(1)} s to the first response`);
}

/** The commands of the clone, and those of the package with the examples of embedding it. */
async function tryTheRest(): Promise<void> {
  await addPackages(['express'], empty);
  for (const example of examples.filter(isOfExpress)) noteFirst(await tryExample(example, empty));
  const beside = await withOwnPorts(clone);
  await Promise.all([
    tryAll(operating, clone).then(() => tryAll(developing, clone)),
    tryAll(long, beside),
    (async () => {
      await tryAll(operating, empty);
      await addPackages(
        ['fastify', 'graphql', '@graphql-tools/stitch', '@graphql-tools/stitching-directives'],
        empty,
      );
      for (const example of examples.filter((one) => !isOfExpress(one))) {
        await tryExample(example, empty);
      }
    })(),
  ]);
}

/** Generated files are current, so that the commands that write them change nothing. Backups and profiles are new files. */
const unchanged: Readonly<Record<string, Run>> = {
  'git diff --exit-code --stat': {},
};

const folder = mkdtempSync(join(tmpdir(), 'reseller-graph-commands-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));

const clone = await makeClone(folder);
const empty = await makeEmptyFolder(folder);
await install(clone, empty);
if (values.quick) await tryAll(operating, clone);
else await tryTheRest();
await tryAll(unchanged, clone);

const failed = outcomes.filter(({ failure }) => failure !== null);
const byOthers = [...documented.keys()].flatMap((name) => {
  const by = isOfTests(name) ? 'npm test, npm run test:long' : partOf[name];
  return by === undefined ? [] : [`${name}  (${by})`];
});
print(`\nRun by others: ${byOthers.length}\n  ${byOthers.join('\n  ')}`);
const reasons = Object.entries(notRun).map(([name, reason]) => `${name}  (${reason})`);
print(`\nNot run: ${reasons.length}\n  ${reasons.join('\n  ')}`);
print(`\nAfter the installation\n  ${firstResponses.join('\n  ')}`);
const count = (form: Form['name']) => outcomes.filter((one) => one.form === form).length;
print(
  `\n${documented.size} commands in the documents. Run in the clone: ${count('clone')}; with the package: ${count('package')}; failed: ${failed.length}.`,
);
for (const { form, name } of failed) print(`FAILED  ${form}  ${name}`);
process.exit(failed.length > 0 ? exitCodes.failed : exitCodes.succeeded);
