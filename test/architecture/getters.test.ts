import { expect, test } from 'vitest';
import { findHabit, type Habit } from './habits.ts';
import { readSources } from './modules.ts';

/** A getter of an object, told from one of a class by where it stands. */
const ownGetter: Habit = {
  patterns: [/^ {4,}(?:get|set) \w+\(/m],
  imports: [],
  // Made once for each sandbox, not for each request.
  isAllowedIn: (path) => path.startsWith('src/sandbox/'),
};

test('no object has getters of its own: each would have a hidden class, which outlives the request', () => {
  expect(findHabit(readSources('src'), ownGetter)).toEqual([]);
});

test.each(['const facts = {\n    get signal() {\n', '  return {\n    set size(size) {\n'])(
  'a planted %j is seen',
  (code) => {
    expect(findHabit(new Map([['src/planted.ts', code]]), ownGetter)).not.toEqual([]);
  },
);

test.each([
  'class Facts {\n  get signal() {\n',
  'return {\n    get: (key) => key,\n    get(key) {\n',
])('%j is none', (code) => {
  expect(findHabit(new Map([['src/planted.ts', code]]), ownGetter)).toEqual([]);
});
