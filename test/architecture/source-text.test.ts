// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these strings are source code.

import { expect, test } from 'vitest';
import { productFolders, readSources } from './modules.ts';
import { codeOf } from './source-text.ts';

test.each([
  ['a // b', 'a     '],
  ['a /* b\nc */ d', 'a     \n     d'],
  [`'a' + "b"`, `' ' + " "`],
  [`'it\\'s' + a`, `'     ' + a`],
  ['`a${b}c`', '` ${b} `'],
  ['`a${`b${c}`}d`', '` ${` ${c}`} `'],
  ['`a${{ b: 1 }.b}c` + d', '` ${{ b: 1 }.b} ` + d'],
  ['x = /[\'"`]/.test(a) // b', 'x = /     /.test(a)     '],
  ['x = /[/]\\//; b', 'x = /     /; b'],
  ['a / b / c // d', 'a / b / c     '],
  ['return /a/', 'return / /'],
  ['(a) / b', '(a) / b'],
  ["'http://a' // b", "'        '     "],
])('codeOf keeps the code of %j and blanks the rest', (source, code) => {
  expect(codeOf(source)).toBe(code);
});

test('codeOf preserves every offset and balances the braces of every file', () => {
  for (const [path, source] of readSources(...productFolders, 'test')) {
    const code = codeOf(source);
    const count = (sign: string) => code.split(sign).length;

    expect(code.length, path).toBe(source.length);
    expect([count('{'), count('(')], path).toEqual([count('}'), count(')')]);
  }
});
