import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openSqliteJournal } from '../../src/persistence/sqlite.ts';
import { newFolder } from '../support/folder.ts';
import { isLong, runs } from '../support/long.ts';
import { account, idsOf } from './claims.ts';

describe('one SQLite file of several processes', () => {
  let folder: string;
  let file: string;

  beforeEach(async () => {
    folder = await newFolder('journal');
    file = join(folder, 'journal.db');
  });

  afterEach(async () => {
    await rm(folder, { recursive: true });
  });

  const run = (script: string, ...args: string[]) =>
    spawn(process.execPath, [join(import.meta.dirname, script), ...args], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });

  test('kill -9 after acknowledged moves loses none of them', async () => {
    const child = run('killed-writer.ts', file);
    let printed = '';
    child.stdout.setEncoding('utf8');
    for await (const chunk of child.stdout) {
      printed += chunk;
      if (printed.split('\n').length > 20) break;
    }
    child.kill('SIGKILL');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    const acknowledged = printed.split('\n').slice(0, -1);

    const journal = await openSqliteJournal({ file });
    const stored = await journal.byIds(account, acknowledged);
    await journal.close();

    expect(child.signalCode).toBe('SIGKILL');
    expect(acknowledged.length).toBeGreaterThanOrEqual(20);
    expect(idsOf(stored).toSorted()).toEqual(acknowledged.toSorted());
    expect(stored.every(({ state }) => state === 'SENDING')).toBe(true);
  });

  test.each([
    ['17', 'claim together no more than the limit'],
    ...(isLong ? [['50', 'share its keys without an error'] as const] : []),
  ] as const)('processes that open a new file at once, with %s per hour, %s', async (perHour) => {
    const wins = await Promise.all(
      ['a', 'b', 'c', 'd'].slice(0, runs(2, 4)).map(async (name) => {
        const child = run('rival-claimer.ts', file, name, perHour);
        let printed = '';
        for await (const chunk of child.stdout) printed += String(chunk);
        return Number(printed || Number.NaN);
      }),
    );

    expect(wins.reduce((sum, won) => sum + won, 0)).toBe(Number(perHour));
  });
});
