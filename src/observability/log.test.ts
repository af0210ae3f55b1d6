import { describe, expect, test } from 'vitest';
import { createLog, type LogLevel } from './log.ts';

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
