import { describe, expect, test } from 'vitest';
import { findJson } from './find-json.ts';

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
  ['after a tag', '<b>{"a":1}'],
  ['at the start of a line', 'x\n{"a":1}'],
  ['behind blanks in a line', 'x\n \t{"a":1}'],
  ['behind blanks after the bracket', 'x\n{ \n\t"a":1}'],
  ['as an empty object', 'x\n{}'],
  ['as an empty object with a blank', 'x\n{ }'],
  ['as a list of objects', 'x\n[ {"a":1}]'],
  ['as a list of texts', 'x\n["a"]'],
  ['as an empty list', 'x\n[]'],
  ['at the end of the longest prefix', `${'x'.repeat(64 * 1024 - 2)}\n{}`],
])('a prefix ends %s', (_, body) => {
  const json = body.slice(body.search(/[{[]/));

  expect(findJson(body)).toEqual(JSON.parse(json));
});

test.each([
  ['within a line', 'x {"a":1}'],
  ['behind a word of a line', '<b>x {"a":1}'],
  ['as a list of numbers', 'x\n[1]'],
  ['as a rule of CSS', 'x\n{ color: red }'],
  ['behind a longer one', `${'x'.repeat(64 * 1024 - 1)}\n{}`],
  ['before a bracket alone', 'x\n{'],
  ['with its first bracket, that is not JSON', 'x\n{"a"\n{"b":1}'],
])('a prefix does not end %s', (_, body) => {
  expect(findJson(body)).toBeUndefined();
});

test('JSON is nested in 100 levels at most', () => {
  const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;

  expect(findJson(nested(100))).toEqual(JSON.parse(nested(100)));
  expect(findJson(nested(101))).toBeUndefined();
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

describe('a member that is read as a map', () => {
  const read = (body: string) => {
    const found = findJson(body, 'map') as { readonly map?: unknown } | undefined;
    return found?.map instanceof Map ? { ...found, map: Object.fromEntries(found.map) } : found;
  };
  const bodies = [
    '{"status":"ok","map":{"a.com":[{"x":[1,{"y":"}"}]}],"b.com":[],"c":{"map":{"d":1}},"e":null}}',
    ' { "map" : { "a" : 1 , "b" : { } } , "rest" : { "map" : { "c" : 1 } } } ',
    '{"map":{},"rest":[{"map":{"a":1}}]}',
    '{"map":{"a":"}","b":"x","a":2}}',
    '{"map":{"a":1},"map":{"b":2},"x":1}',
    '{"map":{"a":1},"map":[]}',
    '{"map":{"a":1},"map":{}}',
    '{"x":"map","y":{"a":1}}',
    '{"map":[{"map":{"a":1}}]}',
    '{"map":null}',
    '[{"map":{"a":1}}]',
    '{}',
  ];

  test.each(bodies)('is the same map in %s', (body) => {
    expect(read(body)).toEqual(JSON.parse(body));
  });

  test('is a Map, whose keys are in the order of the text', () => {
    const { map } = findJson('{"map":{"10":1,"9":2}}', 'map') as { readonly map: Map<string, 1> };

    expect([...map]).toEqual([
      ['10', 1],
      ['9', 2],
    ]);
  });

  test('is never read from text that is no JSON', () => {
    for (const body of bodies) {
      for (let at = 0; at < body.length; at += 1) {
        for (const text of ['', ...'{}[]:,"1 ', body[at] + (body[at] as string)]) {
          const changed = body.slice(0, at) + text + body.slice(at + 1);
          expect([changed, read(changed)]).toEqual([changed, findJson(changed)]);
        }
      }
    }
  });

  test('is not nested deeper than in any real reply', () => {
    expect(findJson(`{"map":{"a":${'['.repeat(200)}${']'.repeat(200)}}}`, 'map')).toBeUndefined();
  });
});
