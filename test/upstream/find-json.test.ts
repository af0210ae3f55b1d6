import { describe, expect, test } from 'vitest';
import { findJson } from '../../src/upstream/wire/find-json.ts';

const warning =
  '<br />\n<b>Warning</b>:  Undefined array key "x" in <b>/a.php</b> on line <b>3</b><br />\n';

describe('the JSON of a body is found', () => {
  test.each([
    ['alone', '{"a":1}'],
    ['with blanks around it', '\r\n {"a":1} \n'],
    ['behind a byte order mark', '\ufeff{"a":1}'],
    ['behind a PHP warning in HTML', `${warning}{"a":1}`],
    ['behind two of them', `${warning}${warning} {"a":1}`],
    ['behind a warning in plain text', 'Notice: Undefined offset [0] {x} in /a.php:3\n{"a":1}'],
    ['behind a tag on the same line', '<!-- x -->{ "a":1}'],
  ])('%s', (_, body) => {
    expect(findJson(body)).toEqual({ a: 1 });
  });

  test('as a list, behind a warning', () => {
    expect(findJson(`${warning}[ {"a":1}]`)).toEqual([{ a: 1 }]);
    expect(findJson(`${warning}[]`)).toEqual([]);
  });
});

describe('no JSON is found in a body that is', () => {
  test.each([
    ['empty', ''],
    ['a page', '<html><style>\nbody { color: red }</style><p>[1]</p></html>'],
    ['truncated', '{"result":"ERROR","rest":[{"Status":"available"}]'],
    ['truncated, on lines of their own', '{"result":"ERROR",\n"rest":\n[{"Status":"available"}]'],
    [
      'truncated behind a warning',
      `${warning}{"result":"ERROR",\n"rest":\n[{"Status":"available"}]`,
    ],
    ['a word', 'null'],
    ['followed by something else', '{"a":1}{"a":2}'],
  ])('%s', (_, body) => {
    expect(findJson(body)).toBeUndefined();
  });
});

test.each([
  ['line breaks', '\n'],
  ['openers', '\n{'],
  ['likely openers', '\n{"'],
  ['tags', '<b>'],
  ['nested lists', '['],
])('sixteen megabytes of %s are read in linear time', (_, part) => {
  const body = `x${part.repeat(16_000_000 / part.length)}`;

  // In quadratic time this would take longer than the limit of a test.
  expect(findJson(body)).toBeUndefined();
});
