import { execFileSync } from 'node:child_process';
import { closeSync, constants, mkdtempSync, openSync, readSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { because, whyNotLinux } from '../../test/support/skipped.ts';
import { createLog, LineStream, type LogLevel } from './log.ts';

function startLog(level: LogLevel = 'debug') {
  const texts: string[] = [];
  const log = createLog({ level, write: (line) => texts.push(line) });
  return { log, texts, lines: () => texts.map((text) => JSON.parse(text)) };
}

const events = ['error', 'warn', 'info', 'debug'] as const;

test.each<[LogLevel, readonly string[]]>([
  ['trace', events],
  ['debug', events],
  ['info', ['error', 'warn', 'info']],
  ['warn', ['error', 'warn']],
  ['error', ['error']],
  ['fatal', []],
  ['silent', []],
])('at level %s these events are logged: %j', (level, expected) => {
  const { log, lines } = startLog(level);

  for (const name of events) log[name](`an ${name}`);

  expect(lines().map((line) => line.level)).toEqual(expected);
  expect(lines().map(({ msg }) => msg)).toEqual(expected.map((name) => `an ${name}`));
});

test('a line has its level, its time in ISO 8601 and its event, and nothing about the machine', () => {
  const { log, texts, lines } = startLog();

  log.info('started');

  expect(lines()).toEqual([
    {
      ...{ level: 'info', msg: 'started' },
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    },
  ]);
  expect(texts[0]).toMatch(/\n$/);
});

test('a line has the fields of the list, also those that are null, false, 0 or empty, and no other', () => {
  const { log, lines } = startLog();
  const fields = { caller: null, responseCached: false, count: 0, reason: '', codes: ['LOCKED'] };

  const others: object = { status: undefined, password: 'hunter2' };
  log.warn('it happened', { ...fields, ...others });

  const { level: _level, time: _time, msg: _msg, ...logged } = lines()[0];
  expect(logged).toEqual(fields);
});

describe('an error', () => {
  const describeError = (error: unknown) => {
    const { log, lines } = startLog();
    log.error('it failed', { error });
    return lines()[0].error;
  };

  test('is logged with its type, message and stack, and none of its other members', () => {
    const error = Object.assign(new TypeError('It failed.'), { body: 'hunter2' });

    expect(describeError(error)).toEqual({
      ...{ type: 'TypeError', message: 'It failed.' },
      stack: expect.stringContaining('log.test.ts'),
    });
  });

  test.each([['hunter2'], [{ password: 'hunter2' }], [5], [null]])(
    'that is no Error is logged as its type only: %j',
    (thrown) => {
      expect(describeError(thrown)).toEqual({ type: typeof thrown });
    },
  );

  test('is logged with its causes, and without a cause that is no Error', () => {
    const inner = new RangeError('inner', { cause: 'hunter2' });

    expect(describeError(new Error('outer', { cause: inner }))).toMatchObject({
      message: 'outer',
      cause: { type: 'RangeError', message: 'inner' },
    });
    expect(describeError(inner)).not.toHaveProperty('cause');
  });

  test('whose causes form a cycle is logged with five of them', () => {
    const error = new Error('one');
    error.cause = new Error('two', { cause: error });
    const messages: string[] = [];

    for (let one = describeError(error); one; one = one.cause) messages.push(one.message);

    expect(messages).toEqual(['one', 'two', 'one', 'two', 'one', 'two']);
  });
});

/** A named pipe, and a stream that writes to it. */
function openPipe() {
  const folder = mkdtempSync(join(tmpdir(), 'reseller-graph-pipe-'));
  const path = join(folder, 'pipe');
  execFileSync('mkfifo', [path]);
  const reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  const writer = openSync(path, constants.O_WRONLY);
  onTestFinished(() => {
    closeSync(reader);
    rmSync(folder, { recursive: true });
  });
  const buffer = Buffer.alloc(65_536);
  /** The bytes in the pipe. */
  const read = (): string => {
    try {
      return buffer.toString('latin1', 0, readSync(reader, buffer));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EAGAIN') return '';
      throw error;
    }
  };
  return { read, stream: new LineStream(writer) };
}

const lineOf = (at: number) => `${String(at).padStart(3, '0')}${'x'.repeat(99_996)}\n`;

test('a line is written at once', async () => {
  const { read, stream } = openPipe();

  stream.write('one\n');
  await expect.poll(read).toBe('one\n');
  stream.write('two\n');
  await expect.poll(read).toBe('two\n');
  expect(stream.droppedLines()).toBe(0);
});

test('lines that no reader reads are buffered up to a mebibyte, and later ones are dropped, counted and reported once', async () => {
  const { read, stream } = openPipe();
  const reports: number[] = [];
  stream.onRecovery((count) => reports.push(count));

  for (let at = 0; at < 15; at += 1) stream.write(lineOf(at));

  const dropped = stream.droppedLines();
  expect([dropped > 0, 15 - dropped >= 10, 15 - dropped <= 12, reports]).toEqual([
    true,
    true,
    true,
    [],
  ]);
  let received = '';
  await expect
    .poll(() => {
      received += read();
      return reports;
    })
    .toEqual([dropped]);
  const expected = Array.from({ length: 15 - dropped }, (_, at) => lineOf(at)).join('');
  await expect
    .poll(() => {
      received += read();
      return received === expected;
    })
    .toBe(true);

  stream.write('more\n');
  await expect.poll(read).toBe('more\n');
  await new Promise(setImmediate);
  expect([stream.droppedLines(), reports]).toEqual([dropped, [dropped]]);
});

/** A clock whose deadlines pass when `end` is called, and the lengths of these deadlines. */
function startClock() {
  const controller = new AbortController();
  const limits: number[] = [];
  const deadline = (ms: number) => {
    limits.push(ms);
    return { signal: controller.signal, [Symbol.dispose]: () => undefined };
  };
  return { clock: { deadline }, limits, end: () => controller.abort() };
}

test('the end waits until the buffered lines are written', async () => {
  const { read, stream } = openPipe();
  const { clock } = startClock();
  for (let at = 0; at < 5; at += 1) stream.write(lineOf(at));
  let hasEnded = false;
  const ended = stream.end(clock, 1_000).then(() => {
    hasEnded = true;
  });
  await new Promise(setImmediate);

  expect(hasEnded).toBe(false);
  let received = 0;
  await expect
    .poll(() => {
      received += read().length;
      return received;
    })
    .toBe(5 * lineOf(0).length);
  await ended;
});

test('the end waits no longer than its limit', async () => {
  const { stream } = openPipe();
  const { clock, limits, end } = startClock();
  for (let at = 0; at < 5; at += 1) stream.write(lineOf(at));

  const ended = stream.end(clock, 1_000);
  end();

  await ended;
  expect(limits).toEqual([1_000]);
});

test('the end discards the lines that are not written within its limit', async () => {
  const { read, stream } = openPipe();
  const { clock, end } = startClock();
  for (let at = 0; at < 5; at += 1) stream.write(lineOf(at));
  const ended = stream.end(clock, 1_000);
  end();
  await ended;

  let received = 0;
  let reads = 0;
  // Every read that finds nothing leaves a writer ten milliseconds.
  while (reads < 20) {
    const { length } = read();
    received += length;
    reads = length === 0 ? reads + 1 : 0;
    if (length === 0) await sleep(10);
  }

  expect(received).toBeGreaterThan(0);
  expect(received).toBeLessThan(2 * lineOf(0).length);
});

test.skipIf(whyNotLinux)(
  `a full disk ends neither the process nor the stream${because(whyNotLinux)}`,
  async () => {
    const stream = new LineStream(openSync('/dev/full', 'w'));
    const unhandled: unknown[] = [];
    const onUnhandled = (error: unknown) => void unhandled.push(error);
    process.on('uncaughtExceptionMonitor', onUnhandled);
    onTestFinished(() => void process.off('uncaughtExceptionMonitor', onUnhandled));
    const { clock, end } = startClock();

    stream.write('one\n');
    await sleep(50);
    stream.write('two\n');
    await sleep(50);
    const ended = stream.end(clock, 1_000);
    end();
    await ended;

    expect(unhandled).toEqual([]);
  },
);
