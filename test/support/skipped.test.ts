import { expect, test } from 'vitest';
import { because, summarize } from './skipped.ts';

const module = { type: 'module' };
const skipped = (name: string, parent: object = module, note?: string) => ({
  ...{ type: 'test', name, parent },
  result: () => ({ state: 'skipped', note }),
});

test('each reason of skipped tests is one line with their number', () => {
  const group = { type: 'suite', name: `a page${because('install Chromium (x)')}`, parent: module };
  const inner = { type: 'suite', name: 'a part (of the page)', parent: group };
  const tests = [
    ...[skipped('one', group), skipped('two', inner), skipped('three', module, 'install openssl')],
    ...[skipped(`four${because(null)}`), skipped(`five${because('install openssl')}`, group)],
  ];
  const modules = [{ children: { allTests: () => tests } }];

  expect(summarize(modules as never)).toEqual([
    'Skipped 2 tests: install Chromium (x).',
    'Skipped 2 tests: install openssl.',
    'Skipped 1 test: only in npm run test:long.',
  ]);
  expect(summarize([])).toEqual([]);
});
