import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { runs } from '../../../test/support/long.ts';
import { systemClock } from '../../lib/system.ts';
import { findJson } from './find-json.ts';
import { RepeatedBodies } from './repeated-body.ts';
import { createRowReader, type RowSink, type Rows, withRows } from './row-reader.ts';
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
