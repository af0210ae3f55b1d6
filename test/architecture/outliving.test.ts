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

/** `flight.land = () => …`, at any depth; not a variable, nor a member that is declared. */
const functionAsMember: Habit = {
  patterns: [
    /^ +[\w#]+(?:\??\.#?\w+|\[[^\]\n]+\])+ (?:\?\?)?= (?:async )?(?:function\b|\w+ =>|\([^)]*\)(?:: [^=\n]+)? =>)/m,
  ],
  imports: [],
  isAllowedIn: (path) => path.startsWith('src/sandbox/'),
};

test('no function is written as the value of a member: V8 takes it for one of a class, and makes it old with all that it sees', () => {
  expect(findHabit(readSources('src'), functionAsMember)).toEqual([]);
});

test.each([
  '  flight.land = () => over;\n',
  '    this.#land = async (\n      how,\n    ): Promise<void> => over;\n',
  '  rows[name] = function land() {};\n',
  '  signal.onabort ??= event => over;\n',
])('a planted %j is seen', (code) => {
  expect(findHabit(new Map([['src/planted.ts', code]]), functionAsMember)).not.toEqual([]);
});

test.each([
  '  const land = () => over;\n',
  "  const land: Flight['land'] = async (how) => over;\n",
  '  #land = () => over;\n',
  '  flight.land = land;\n',
  '  flight.size = (one + two) / 3;\n',
])('%j is none', (code) => {
  expect(findHabit(new Map([['src/planted.ts', code]]), functionAsMember)).toEqual([]);
});
