import { expect, test } from 'vitest';
import { linesOf } from '../../scripts/changed-lines.ts';

test('the changed lines of a diff are those that it adds, and none for a deletion', () => {
  const diff = [
    'diff --git src/a.ts src/a.ts',
    '--- src/a.ts',
    '+++ src/a.ts',
    '@@ -3 +3 @@ function a() {',
    '-old',
    '+new',
    '@@ -10,0 +11,2 @@',
    '+one',
    '+two',
    '@@ -20,3 +22,0 @@',
    '-gone',
    'diff --git src/b.ts src/b.ts',
    '--- /dev/null',
    '+++ src/b.ts',
    '@@ -0,0 +1,40 @@',
  ].join('\n');

  expect(linesOf(diff)).toEqual([
    { file: 'src/a.ts', from: 3, to: 3 },
    { file: 'src/a.ts', from: 11, to: 12 },
    { file: 'src/b.ts', from: 1, to: 40 },
  ]);
});
