// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these strings are source code.

import { expect, test } from 'vitest';
import { findHabit, type Habit } from './habits.ts';
import { readProduct } from './modules.ts';

/** The real clock, timers and randomness. */
const timeAndChance: Habit = {
  patterns: [
    /\bDate\s*\.\s*now\b/,
    /\bnew\s+Date\b(?:\s*\(\s*\)|(?!\s*[(.\w]))/,
    /(?<!\bnew\s+)(?<![\w.$])Date\s*\(/,
    /\bperformance\s*\.\s*(?:now|timeOrigin)\b/,
    /\bprocess\s*\.\s*(?:hrtime|uptime)\b/,
    /(?:(?<![\w.$])|\bglobalThis\.)set(?:Timeout|Interval|Immediate)\b/,
    /\bMath\s*\.\s*random\b/,
    /\brandomUUID\b/,
    /\bgetRandomValues\b/,
    /\bAbortSignal\s*\.\s*timeout\b/,
  ],
  imports: [
    'timers',
    'timers/promises',
    'perf_hooks',
    'crypto#randomBytes',
    'crypto#randomInt',
    'crypto#randomFill',
    'crypto#randomFillSync',
  ],
  // The client runs in other programs, and imports nothing of the gateway.
  isAllowedIn: (path) => path === 'src/lib/system.ts' || path.startsWith('client/'),
};

test('only lib/system.ts and the client use real time and randomness', () => {
  expect(findHabit(readProduct(), timeAndChance)).toEqual([]);
});

test('the check reports the real clock in lib/system.ts', () => {
  const everywhere = { ...timeAndChance, isAllowedIn: () => false };
  const found = findHabit(readProduct('src/lib'), everywhere).map((line) => line.split(': ')[1]);

  expect(found).toContain('new Date()');
  expect(found).toContain('Math.random');
  expect(found).toContain('imports timers/promises');
});

test.each([
  'const now = Date.now();',
  'const now = new Date();',
  'const now = new Date;',
  'const now = Date();',
  'const text = `${new Date().toISOString()}`;',
  'performance.now();',
  'process.hrtime.bigint();',
  'setTimeout(work, 10);',
  'globalThis.setTimeout(work, 10);',
  'const wait = setInterval;',
  'setImmediate(work);',
  'const chance = Math.random();',
  'const pick = Math.random;',
  "import { randomUUID } from 'node:crypto';",
  'crypto.randomUUID();',
  "import { randomBytes } from 'node:crypto';",
  "import { setTimeout as sleep } from 'node:timers/promises';",
  "const { setTimeout: sleep } = await import('timers/promises');",
  'AbortSignal.timeout(100);',
])('the check reports a planted %j', (line) => {
  expect(findHabit(new Map([['src/planted.ts', line]]), timeAndChance)).not.toEqual([]);
});

test.each([
  'const later = new Date(text);',
  'const later = new Date(from.getTime() + 1);',
  'const at: Date = clock.now();',
  '// Date.now() would be wrong here.',
  "const text = 'Date.now() and Math.random()';",
  'socket.setTimeout(10);',
  'const isDate = value instanceof Date;',
  'const toDate = (text: string): Date => (parse(text));',
])('the check accepts %j', (line) => {
  expect(findHabit(new Map([['src/planted.ts', line]]), timeAndChance)).toEqual([]);
});
