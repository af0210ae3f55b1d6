import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { runs } from '../../../test/support/long.ts';
import { createSimulatedClock, endOfTurn } from '../../../test/support/simulated-clock.ts';
import { systemClock } from '../../lib/system.ts';
import { findJson, startOfJson } from './find-json.ts';
import { RepeatedBodies } from './repeated-body.ts';
import { createRowReader, RowScanner, type RowSink, type Rows, withRows } from './row-reader.ts';
import { redactMessages, redactValues } from './upstream-text.ts';

const list: Rows = {
  at: ['data', 'Domains'],
  read: (row) => (row === null ? undefined : row),
  stored: ['name', 'more'],
  maxBytes: 1 << 30,
};
const redact = redactValues(['secret']);

/** What a body is taken for when it comes in pieces that end at these places. */
async function readInPieces(
  body: Buffer,
  borders: readonly number[],
  { sink, bodies }: { readonly sink?: RowSink; readonly bodies?: RepeatedBodies } = {},
) {
  const rowReader = createRowReader({ rows: list, clock: systemClock, redact, sink });
  const reader = bodies?.reader(rowReader, 'secret') ?? rowReader;
  const cuts = [
    0,
    ...borders.map((at) => at % (body.length + 1)).sort((a, b) => a - b),
    body.length,
  ];
  for (const [at, end] of cuts.slice(1).entries()) await reader.take(body.subarray(cuts[at], end));
  const { body: rest, rows } = await reader.end();
  return withRows(list, redactMessages(findJson(rest), redact), rows);
}

const readWhole = (body: Buffer) =>
  withRows(list, redactMessages(findJson(new TextDecoder().decode(body)), redact), undefined);

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 8 }),
  fc.constantFrom('Domains', 'data', '"', '\\', '\\"', '[', ']', '},{', 'secret', 'message'),
);
/** V8 13.6 takes a name of an escape and a quote for an earlier one that ends in a backslash. */
const key = text.filter((one) => !one.endsWith('\\'));
const value = fc.letrec<{ any: unknown }>((tie) => ({
  any: fc.oneof(
    { maxDepth: 4 },
    fc.oneof(text, fc.integer(), fc.constant(null), fc.boolean()),
    fc.array(tie('any'), { maxLength: 4 }),
    fc.dictionary(key, tie('any'), { maxKeys: 4 }),
  ),
})).any;
const reply = fc.oneof(
  fc.record({
    result: fc.constantFrom('OK', 'ERROR'),
    data: fc.oneof(
      fc.record({ Domains: fc.oneof(fc.array(value, { maxLength: 6 }), value) }),
      value,
    ),
    TotalCount: value,
  }),
  fc.record({
    data: fc.record({ more: value, Domains: fc.array(value), last: value }),
    error: value,
  }),
  value,
);
const written = fc
  .tuple(
    reply,
    fc.constantFrom(0, 2),
    fc.constantFrom('', '\n ', '<b>Warning</b>: "x" in {line}\n'),
  )
  .map(([body, indent, prefix]) => Buffer.from(prefix + JSON.stringify(body, null, indent)));
const borders = fc.array(fc.nat(2_000), { maxLength: 12 });

describe('reading a list row by row equals reading it as a whole', () => {
  test('after equal and other bodies, for any of them in any pieces', async () => {
    const cut = fc.tuple(written, fc.nat(2_000)).map(([body, at]) => body.subarray(0, at));
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof(written, cut), { minLength: 1, maxLength: 3 }),
        fc.array(fc.tuple(fc.nat(2), borders), { maxLength: 6 }),
        async (some, reads) => {
          const bodies = new RepeatedBodies();
          for (const [which, at] of reads) {
            const body = some[which % some.length] ?? Buffer.alloc(0);
            expect(await readInPieces(body, at, { bodies })).toEqual(readWhole(body));
          }
        },
      ),
      { numRuns: runs(30, 600) },
    );
  });

  test('for any JSON text in any pieces', async () => {
    await fc.assert(
      fc.asyncProperty(written, borders, async (body, at) => {
        expect(await readInPieces(body, at)).toEqual(readWhole(body));
      }),
      { numRuns: runs(30, 600) },
    );
  });

  test('for lost, doubled and changed bytes and for a missing end', async () => {
    const damage = fc.tuple(
      fc.nat(400),
      fc.constantFrom('', '""', ',', ']', '}', '[', '{', ':', '\\', '\xff'),
      fc.nat(2),
    );
    await fc.assert(
      fc.asyncProperty(written, damage, borders, async (body, [place, byte, lost], at) => {
        const from = place % (body.length + 1);
        const rest = lost === 2 ? Buffer.alloc(0) : body.subarray(from + lost);
        const damaged = Buffer.concat([body.subarray(0, from), Buffer.from(byte, 'latin1'), rest]);

        expect(await readInPieces(damaged, at)).toEqual(readWhole(damaged));
      }),
      { numRuns: runs(80, 1_500) },
    );
  });
});

test.each(['[[{}]]', '{"data":{"Domains":[{}]}}'])(
  'behind a warning that is no UTF-8 a list is found where it begins: %s',
  async (json) => {
    const body = Buffer.from(`Notice: caf\xe9 in /a.php\n${json}`, 'latin1');

    for (const border of body.keys()) {
      expect(await readInPieces(body, [border])).toEqual(JSON.parse(json));
    }
  },
);

describe('a sink receives the rows', () => {
  function createSink() {
    const taken: { readonly row: unknown; readonly stored: unknown }[] = [];
    const sink: RowSink = {
      begin: () => void taken.splice(0),
      takeKnown: () => false,
      take: (row, stored) => void taken.push({ row, stored }),
    };
    return { sink, taken };
  }
  const bodyOf = (...rows: readonly object[]) =>
    Buffer.from(JSON.stringify({ data: { Domains: rows } }));

  test('with the fields that may be stored, and the reply has no rows', async () => {
    const { sink, taken } = createSink();

    const reply = await readInPieces(
      bodyOf({ name: 'a', code: 'hush', more: { message: 'a secret' } }),
      [9, 40],
      { sink },
    );

    expect(reply).toEqual({ data: { Domains: [] } });
    expect(taken).toEqual([
      {
        row: { name: 'a', code: 'hush', more: { message: 'a [redacted]' } },
        stored: { name: 'a', more: { message: 'a [redacted]' } },
      },
    ]);
  });

  test('except of a body with two lists, which is not a valid reply', async () => {
    const body = Buffer.from('{"data":{"Domains":[{"name":"a"}],"Domains":[{"name":"b"}]}}');

    expect(await readInPieces(body, [], createSink())).toBeUndefined();
  });
});

test('a list with text outside of rows is limited to the size of a whole body', async () => {
  const reader = createRowReader({ rows: list, clock: systemClock, redact, sink: undefined });
  const head = '{"data":{"Domains":[';
  await reader.take(Buffer.from(`${head}${'1'.repeat(100)}]`));
  await reader.take(Buffer.alloc(16 * 1024 * 1024 - `${head}]`.length, ' '));

  await expect(reader.take(Buffer.from(' '))).rejects.toMatchObject({
    ...{ code: 'UPSTREAM_PROTOCOL', executed: 'UNKNOWN' },
  });
});

describe('an equal list', () => {
  const bodyOf = (name: string) => Buffer.from(`{"data":{"Domains":[{"name":"${name}"}]}}`);
  const rowsOf = async (bodies: RepeatedBodies, body: Buffer, secret = 'secret') => {
    const reader = createRowReader({ rows: list, clock: systemClock, redact, sink: undefined });
    const repeated = bodies.reader(reader, secret);
    await repeated.take(body);
    return (await repeated.end()).rows;
  };

  test('has the same rows, until another one is read', async () => {
    const bodies = new RepeatedBodies();
    const first = await rowsOf(bodies, bodyOf('a.com'));

    expect(await rowsOf(bodies, bodyOf('a.com'))).toBe(first);
    expect(await rowsOf(bodies, bodyOf('b.com'))).not.toBe(first);
    expect(await rowsOf(bodies, bodyOf('a.com'))).not.toBe(first);
  });

  test.each([
    ['"AuthCode":"abc"', false],
    ['"authcode" : 12', false],
    ['"AuthCode":""', true],
    ['"AuthCode":null', true],
  ])('with %s has the same rows: %s', async (member, isSame) => {
    const bodies = new RepeatedBodies();
    const body = Buffer.from(`{"data":{"Domains":[{"name":"a.com",${member}}]}}`);
    const first = await rowsOf(bodies, body);

    expect((await rowsOf(bodies, body)) === first).toBe(isSame);
  });

  test('has rows of its own after another secret, and above a megabyte', async () => {
    const bodies = new RepeatedBodies();
    const first = await rowsOf(bodies, bodyOf('a.com'));
    expect(await rowsOf(bodies, bodyOf('a.com'), 'other')).not.toBe(first);

    const long = await rowsOf(bodies, bodyOf('x'.repeat(1_048_576)));
    expect(await rowsOf(bodies, bodyOf('x'.repeat(1_048_576)))).not.toBe(long);
  });
});

/** The elements and the rest of a text that comes in these pieces. */
function scan(pieces: readonly string[], at: readonly string[] = ['data', 'Rows']) {
  const scanner = new RowScanner(at);
  const elements = pieces.flatMap((piece) =>
    [...scanner.elementsIn(Buffer.from(piece))].map((bytes) => bytes.toString()),
  );
  return { elements, rest: Buffer.concat(scanner.rest).toString(), hasList: scanner.hasList };
}

const inTwo = (text: string): readonly (readonly string[])[] =>
  Array.from(text, (_, at) => [text.slice(0, at), text.slice(at)]);

describe('the elements of a list are found, and the rest is the body with an empty list', () => {
  test.each<[what: string, text: string, elements: readonly string[], rest: string]>([
    ['one', '{"data":{"Rows":[{"a":1}]}}', ['{"a":1}'], '{"data":{"Rows":[]}}'],
    ['several', '{"data":{"Rows":[1,{},[2]]}}', ['1', '{}', '[2]'], '{"data":{"Rows":[]}}'],
    ['none', '{"data":{"Rows":[]},"n":0}', [], '{"data":{"Rows":[]},"n":0}'],
    ['none with blanks', '{"data":{"Rows":[ \n]}}', [], '{"data":{"Rows":[]}}'],
    ['one missing', '{"data":{"Rows":[1,]}}', ['1', ''], '{"data":{"Rows":[]}}'],
    ['the first missing', '{"data":{"Rows":[,1]}}', ['', '1'], '{"data":{"Rows":[]}}'],
    [
      'brackets, commas and quotes in strings',
      String.raw`{"data":{"Rows":["]","a,b","\"]","\\",{"[":"}"}]}}`,
      ['"]"', '"a,b"', String.raw`"\"]"`, String.raw`"\\"`, '{"[":"}"}'],
      '{"data":{"Rows":[]}}',
    ],
    [
      'nested lists and objects',
      '{"data":{"Rows":[[[1,2],3],{"a":[4,{"b":5}]}]}}',
      ['[[1,2],3]', '{"a":[4,{"b":5}]}'],
      '{"data":{"Rows":[]}}',
    ],
    [
      'members before and after it',
      '{"r":"OK","data":{"x":[1],"Rows":[2],"y":{"z":[3]}},"n":[4]}',
      ['2'],
      '{"r":"OK","data":{"x":[1],"Rows":[],"y":{"z":[3]}},"n":[4]}',
    ],
    [
      'strings that look like its path',
      String.raw`{"a":"{\"data\":{\"Rows\":[9]}}","data":{"b":"Rows\\","Rows":[1]}}`,
      ['1'],
      String.raw`{"a":"{\"data\":{\"Rows\":[9]}}","data":{"b":"Rows\\","Rows":[]}}`,
    ],
    [
      'blanks around it',
      ' { "data" : { "Rows" : [ 1 , 2 ] } } ',
      [' 1 ', ' 2 '],
      ' { "data" : { "Rows" : [] } } ',
    ],
  ])('%s', (_, text, elements, rest) => {
    for (const pieces of [[text], [...text], ...inTwo(text)]) {
      expect(scan(pieces)).toEqual({ elements, rest, hasList: true });
    }
  });

  test('in the body itself', () => {
    expect(scan(['[1,2]'], [])).toEqual({ elements: ['1', '2'], rest: '[]', hasList: true });
  });
});

test.each([
  ['at another place', '{"Rows":[1],"data":{"x":{"Rows":[2]}}}'],
  ['under another name', '{"data":{"rows":[1],"Row":[2]}}'],
  ['in an object of another name', '{"other":{"Rows":[1]}}'],
  ['in a list', '[{"data":{"Rows":[1]}}]'],
  ['in a list under its name', '{"data":[{"Rows":[1]}]}'],
  ['as an object', '{"data":{"Rows":{"a":1}}}'],
  ['as text', '{"data":{"Rows":"[1]"}}'],
  ['as null', '{"data":{"Rows":null}}'],
])('a list %s is left in the body', (_, text) => {
  for (const pieces of [[text], [...text]]) {
    expect(scan(pieces)).toEqual({ elements: [], rest: text, hasList: false });
  }
});

test('a name of 64 bytes is compared completely', () => {
  const [name, other] = ['n'.repeat(64), `${'n'.repeat(63)}m`];

  expect(scan([`{"${name}":[1]}`], [name]).elements).toEqual(['1']);
  expect(scan([`{"${other}":[1]}`], [name]).elements).toEqual([]);
});

describe('a body is no JSON for the scanner', () => {
  test('with the list twice', () => {
    expect(() => scan(['{"data":{"Rows":[1],"Rows":[2]}}'])).toThrow(SyntaxError);
  });

  test.each([
    ['outside of the list', (levels: number) => `{"x":${'['.repeat(levels - 1)}`],
    ['in an element', (levels: number) => `{"data":{"Rows":[${'{"a":'.repeat(levels - 3)}`],
  ])('nested deeper than 100 levels %s', (_, textOf) => {
    expect(() => scan([textOf(100)])).not.toThrow();
    expect(() => scan([textOf(101)])).toThrow(SyntaxError);
  });

  test('not with 100 levels beside each other', () => {
    const flat = Array(200).fill('[]').join(',');

    expect(scan([`{"x":[${flat}],"data":{"Rows":[${flat}]}}`]).elements).toHaveLength(200);
  });
});

describe('the place where the JSON of a body begins', () => {
  const prefix = '<b>Warning</b>: {x} [1]\n';

  test.each<[what: string, head: string, start: number | 'later' | 'nowhere']>([
    ['at once', '{"a":1}', 0],
    ['behind blanks', ' \r\n[1]', 3],
    ['behind a byte order mark', '\ufeff{', 3],
    ['behind a prefix', `${prefix}{"a"`, prefix.length],
    ['not yet', '<b>Warn', 'later'],
    ['not yet with nothing', '', 'later'],
    ['at its character after the bracket', `${prefix}{`, 'later'],
    ['not within 64 KiB', 'x'.repeat(64 * 1024), 'later'],
    ['not after 64 KiB', 'x'.repeat(64 * 1024 + 1), 'nowhere'],
    ['as the last one', `${'x'.repeat(64 * 1024 - 2)}\n{"`, 64 * 1024 - 1],
    ['too late', `${'x'.repeat(64 * 1024 - 1)}\n{"`, 'nowhere'],
  ])('is known: %s', (_, head, start) => {
    expect(startOfJson(Buffer.from(head))).toBe(start);
  });
});

const rows: Rows = {
  at: ['data', 'Rows'],
  read: (row) => ((row as { skip?: true } | null)?.skip ? undefined : { row }),
  stored: ['name', 'message'],
  maxBytes: 1_000,
};

/** A reader without a time limit for each slice, with the rows that it has put into the sink. */
function startReader({ known = [] as string[], withSink = false } = {}) {
  const { clock } = createSimulatedClock();
  const taken: unknown[] = [];
  const digests: string[] = [];
  const sink: RowSink = {
    begin: (read) => void taken.push(['begin', typeof read]),
    takeKnown: (digest) => {
      digests.push(digest);
      return known.includes(digest);
    },
    take: (row, stored) => void taken.push([row, stored]),
  };
  const redact = redactValues(['secret']);
  const options = { rows, clock, redact, sink: withSink ? sink : undefined };
  const reader = createRowReader(options);
  const readAll = async (text: string, size = text.length) => {
    for (let at = 0; at < text.length; at += size) {
      await reader.take(Buffer.from(text.slice(at, at + size)));
    }
    return reader.end();
  };
  return { reader, readAll, taken, digests };
}

describe('a body that is read row by row', () => {
  test('has its rows apart, in order, without those that are no row', async () => {
    const text = '{"data":{"Rows":[{"a":1},{"skip":true},2]},"n":3}';
    for (const size of [1, 5, 100]) {
      expect(await startReader().readAll(text, size)).toEqual({
        ...{ body: '{"data":{"Rows":[]},"n":3}', rows: [{ row: { a: 1 } }, { row: 2 }] },
      });
    }
  });

  test('has no secret in a message, at the level of the row in the body', async () => {
    const nested = (levels: number): string =>
      levels === 0 ? '{"message":"a secret"}' : `{"a":${nested(levels - 1)}}`;
    const messageIn = async (levels: number) => {
      const { rows: read } = await startReader().readAll(`{"data":{"Rows":[${nested(levels)}]}}`);
      return /a [^"]*/.exec(JSON.stringify(read))?.[0];
    };

    expect(await messageIn(0)).toBe('a [redacted]');
    // Body, data and list are levels too.
    expect([await messageIn(13), await messageIn(14)]).toEqual(['a [redacted]', 'a secret']);
  });

  test('without its list is whole, and has no rows', async () => {
    expect(await startReader().readAll('{"data":null}', 3)).toEqual({ body: '{"data":null}' });
  });

  test.each([
    ['with a prefix', '<b>x</b>\n{"data":{"Rows":[1]}}', '{"data":{"Rows":[]}}'],
    ['with a byte order mark', '\ufeff{"data":{"Rows":[1]}}', '{"data":{"Rows":[]}}'],
  ])('%s has its rows', async (_, text, body) => {
    for (const size of [1, 100]) {
      expect(await startReader().readAll(text, size)).toEqual({ body, rows: [{ row: 1 }] });
    }
  });

  test.each([
    ['short', '<html>'],
    ['long', `<html>${'x'.repeat(70_000)}`],
  ])('that is no JSON (%s) is left whole', async (_, text) => {
    for (const size of [20_000, 100_000]) {
      expect(await startReader().readAll(text, size)).toEqual({ body: text });
    }
  });

  test('with a row that is no JSON is no reply, and nothing is read after it', async () => {
    const { readAll, taken } = startReader({ withSink: true });

    const { body } = await readAll('{"data":{"Rows":[{"a":1},nope,{"b":2}]}}', 7);

    expect(body).toBe('');
    expect(taken).toHaveLength(2);
  });

  test('fails with the error of its sink', async () => {
    const { clock } = createSimulatedClock();
    const failing = { ...{ begin() {}, takeKnown: () => false }, take: () => Promise.reject(gone) };
    const gone = new Error('gone');
    const redact = redactValues([]);
    const reader = createRowReader({ rows, clock, redact, sink: failing });

    await expect(reader.take(Buffer.from('{"data":{"Rows":[1]}}'))).rejects.toBe(gone);
  });

  test('lets other work run between its slices, and ends a chunk before the next one', async () => {
    let nowMs = 0;
    let slices = 0;
    const clock = {
      monotonicMs: () => nowMs,
      wait: async () => {
        slices += 1;
      },
    };
    const read = () => {
      nowMs += 0.25;
    };
    const slow: Rows = { ...rows, read };
    const redact = redactValues([]);
    const reader = createRowReader({ rows: slow, clock, redact, sink: undefined });

    await reader.take(Buffer.from('{"data":{"Rows":[1,2,3,4,5,6]}}'));

    expect(slices).toBe(3);
  });
});

describe('a sink', () => {
  test('is begun once for each reader, and takes each row with the part that may be stored', async () => {
    const { readAll, taken } = startReader({ withSink: true });

    const end = await readAll(
      '{"data":{"Rows":[{"name":"a","code":"x","message":"a secret"},{"skip":true},{"other":1}]}}',
    );

    expect(end).toEqual({ body: '{"data":{"Rows":[]}}', rows: [] });
    expect(taken).toEqual([
      ['begin', 'function'],
      [
        { row: { name: 'a', code: 'x', message: 'a [redacted]' } },
        { name: 'a', message: 'a [redacted]' },
      ],
      [{ row: { other: 1 } }, {}],
    ]);
  });

  test('takes a row that it knows by its digest, which equal bytes have in common', async () => {
    const first = startReader({ withSink: true });
    await first.readAll('{"data":{"Rows":[{"a":1},{"b":2},{"a":1}]}}');
    const [a = '', b, again] = first.digests;
    expect([again, a === b]).toEqual([a, false]);

    const second = startReader({ withSink: true, known: [a] });
    await second.readAll('{"data":{"Rows":[{"a":1},{"b":2}]}}');

    expect(second.taken.slice(1)).toEqual([[{ row: { b: 2 } }, {}]]);
  });

  test('takes a row at a time', async () => {
    const { clock } = createSimulatedClock();
    const steps: string[] = [];
    const sink: RowSink = {
      ...{ begin() {}, takeKnown: () => false },
      async take(row) {
        steps.push(`begin ${JSON.stringify(row)}`);
        await endOfTurn();
        steps.push('end');
      },
    };
    const redact = redactValues([]);
    await createRowReader({ rows, clock, redact, sink }).take(
      Buffer.from('{"data":{"Rows":[1,2]}}'),
    );

    expect(steps).toEqual(['begin {"row":1}', 'end', 'begin {"row":2}', 'end']);
  });
});

describe('the rows of a decoded body', () => {
  test.each<[what: string, body: unknown, read: readonly unknown[] | undefined, is: unknown]>([
    ['are those that were read', { data: { Rows: [] } }, [1], { data: { Rows: [1] } }],
    [
      'are decoded',
      { data: { Rows: [2, { skip: true }] } },
      undefined,
      { data: { Rows: [{ row: 2 }] } },
    ],
    ['are none without a list', { data: { Rows: null } }, [1], { data: { Rows: null } }],
    ['are none without their object', { data: [] }, [1], { data: [] }],
    ['are none in another body', 'text', undefined, 'text'],
    ['are none in an empty body', null, undefined, null],
    ['are none in inherited members', { data: Object.create({ Rows: [1] }) }, [2], { data: {} }],
  ])('%s', (_, body, read, is) => {
    expect(withRows(rows, body, read)).toEqual(is);
  });
});
