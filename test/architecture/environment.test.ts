import { expect, test } from 'vitest';
import { findHabit, type Habit } from './habits.ts';
import { readProduct } from './modules.ts';

const environment: Habit = {
  patterns: [
    /\bprocess\s*(?:\?\.|\.)\s*env\b/,
    /\bprocess\s*\[/,
    /\{[^{}]*\benv\b[^{}]*\}\s*=\s*process\b/,
    /\bimport\.meta\.env\b/,
    /\bprocess\s*\.\s*loadEnvFile\b/,
  ],
  imports: ['process#env', 'process#default', 'process#*'],
  isAllowedIn: (path) => path.startsWith('src/config/') || path === 'sandbox/main.ts',
};

test('only config and the program of the sandbox read the environment', () => {
  expect(findHabit(readProduct(), environment)).toEqual([]);
});

test.each([
  'const port = process.env.PORT;',
  'const port = process.env["PORT"];',
  "const port = process['env'].PORT;",
  'const { env, argv } = process;',
  "import { env } from 'node:process';",
  "import process from 'node:process';",
  'start(process.env);',
])('the check reports a planted %j', (line) => {
  expect(findHabit(new Map([['src/planted.ts', line]]), environment)).toHaveLength(1);
});

test.each([
  '// process.env is read in config',
  "const text = 'process.env';",
  'process.exitCode = 1;',
  'const { env } = options;',
])('the check accepts %j', (line) => {
  expect(findHabit(new Map([['src/planted.ts', line]]), environment)).toEqual([]);
});
