import { chmod, mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { backUp } from '../../src/app/backup.ts';
import { settings } from '../../src/app/read-config.ts';
import { tightenDataFolder } from '../../src/app/state.ts';
import { readStoredSettings } from '../../src/config/config.ts';
import { writeKeys } from '../../src/config/keys-file.ts';
import { createLog } from '../../src/observability/log.ts';
import { openSqliteJournal } from '../../src/persistence/sqlite.ts';
import { newFolder } from '../support/folder.ts';
import { startTestGateway } from '../support/gateway.ts';

let parent: string;
let folder: string;
beforeEach(async () => {
  parent = await newFolder('data-folder');
  folder = join(parent, 'data');
  onTestFinished(() => rm(parent, { recursive: true }));
});

const modeOf = async (path: string) => ((await stat(path)).mode & 0o7777).toString(8);
const modesIn = async (path: string) =>
  Object.fromEntries(
    await Promise.all(
      (await readdir(path)).map(async (name) => [name, await modeOf(join(path, name))]),
    ),
  );

/** A folder that was copied: all users can read it and its journal. */
async function makeReadable(): Promise<void> {
  await mkdir(folder);
  const file = join(folder, 'sandbox-journal.sqlite');
  await (await openSqliteJournal({ file })).close();
  await chmod(file, 0o644);
  await chmod(folder, 0o755);
}

/** Starts a gateway on the folder, and returns its log lines about the folder. */
async function start() {
  const gateway = await startTestGateway({ env: { DATA_DIR: folder } });
  onTestFinished(() => gateway.close());
  return gateway.lines.filter(({ msg }) => String(msg).includes('DATA_DIR'));
}

test('a new folder, its files and a backup can be read by their user only', async () => {
  expect(await start()).toEqual([]);
  writeKeys(join(folder, 'keys.json'), {});
  const copy = join(parent, 'copy');
  await backUp(readStoredSettings(settings, { DATA_DIR: folder }), copy, new Date());

  expect([await modeOf(folder), await modeOf(copy)]).toEqual(['700', '700']);
  expect(await modesIn(copy)).toEqual({
    ...{ 'sandbox-journal.sqlite': '600', KEYS_FILE: '600', 'manifest.json': '600' },
  });
  const modes = await modesIn(folder);
  expect(Object.keys(modes).toSorted()).toEqual([
    'keys.json',
    ...['sandbox-journal.sqlite', 'sandbox-journal.sqlite-shm', 'sandbox-journal.sqlite-wal'],
    ...['sandbox.sqlite', 'sandbox.sqlite-shm', 'sandbox.sqlite-wal'],
  ]);
  expect(new Set(Object.values(modes))).toEqual(new Set(['600']));
});

test('the start removes the access of other users to an existing folder, and logs it', async () => {
  await makeReadable();

  const lines = await start();

  expect(lines).toMatchObject([{ level: 'warn', count: 2 }]);
  expect(await modeOf(folder)).toBe('700');
  expect(new Set(Object.values(await modesIn(folder)))).toEqual(new Set(['600']));
});

test.each<[string, () => Promise<void>, string]>([
  ['has other files', () => writeFile(join(folder, 'notes.txt'), ''), '755'],
  ['is for all users, as /tmp', () => chmod(folder, 0o1777), '1777'],
])('the mode of a folder that %s is unchanged', async (_what, prepare, mode) => {
  await makeReadable();
  await prepare();

  expect(await start()).toMatchObject([{ level: 'warn', count: 1 }]);
  expect(await modeOf(folder)).toBe(mode);
  expect(await modeOf(join(folder, 'sandbox-journal.sqlite'))).toBe('600');
});

test('modes that cannot be changed are one warning, with the first reason', async () => {
  await makeReadable();
  const lines: unknown[] = [];
  const log = createLog({ level: 'info', write: (line) => lines.push(JSON.parse(line)) });

  tightenDataFolder(folder, log, (path) => {
    throw new Error(`EPERM: chmod '${path}'`);
  });

  expect(lines).toMatchObject([{ level: 'warn', reason: `Error: EPERM: chmod '${folder}'` }]);
});
