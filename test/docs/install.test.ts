import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { bareEnvironment } from '../support/process.ts';
import { root } from './markdown.ts';

/** Replaces npm: it records its arguments and installs nothing. */
const npm = `#!/bin/sh
echo "$*" >> "$3/calls"
[ -e "$3/fails" ] && exit 1
mkdir -p "$3/node_modules" && touch "$3/node_modules/.package-lock.json"
`;

test('packages are installed when they are missing or older than their lock file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'reseller-graph-install-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const lock = join(folder, 'package-lock.json');
  writeFileSync(join(folder, 'npm'), npm, { mode: 0o755 });
  writeFileSync(lock, '{}');
  utimesSync(lock, 1, 1);
  const install = () => {
    const { status, stderr } = spawnSync(process.execPath, ['scripts/install.ts', folder], {
      ...{
        cwd: root,
        encoding: 'utf8',
        env: { ...bareEnvironment, PATH: `${folder}:${process.env.PATH}` },
      },
    });
    const calls = readFileSync(join(folder, 'calls'), 'utf8').trim().split('\n');
    return { status, sentences: stderr.trim().split('\n').length, calls };
  };
  const call = `ci --prefix ${folder}`;

  expect(install()).toMatchObject({ status: 0, sentences: 1, calls: [call] });
  expect(install()).toMatchObject({ status: 0, calls: [call] });
  const later = Date.now() / 1_000 + 60;
  utimesSync(lock, later, later);
  expect(install()).toMatchObject({ status: 0, calls: [call, call] });
  writeFileSync(join(folder, 'fails'), '');
  expect(install()).toEqual({ status: 1, sentences: 2, calls: [call, call, call] });
});
