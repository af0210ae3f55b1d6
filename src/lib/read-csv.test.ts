import { describe, expect, test } from 'vitest';
import { CsvError, readCsv, readCsvRecords } from './read-csv.ts';

async function* inParts(bytes: Uint8Array, size: number) {
  for (let from = 0; from < bytes.length; from += size) yield bytes.subarray(from, from + size);
}

const collect = async <T>(rows: AsyncIterable<T>) => {
  const all: T[] = [];
  for await (const row of rows) all.push(row);
  return all;
};

const bytesOf = (text: string) => new TextEncoder().encode(text);
/** The cells of each row, joined by `|`. */
const cellsOf = async (bytes: Uint8Array, size = bytes.length) =>
  (await collect(readCsv(inParts(bytes, Math.max(1, size))))).map(({ cells }) => cells.join('|'));

describe('the rows of a CSV file are read', () => {
  test.each([
    ['a last line without a break', 'a,b\nc,d', ['a|b', 'c|d']],
    ['line breaks of Windows', 'a,b\r\nc,d\r\n', ['a|b', 'c|d']],
    ['line breaks of old Macs', 'a,b\rc,d\r', ['a|b', 'c|d']],
    ['a semicolon, as Excel writes in Europe', 'a;b,c;d\ne;f;g', ['a|b,c|d', 'e|f|g']],
    ['tabs', 'a\tb\nc\td', ['a|b', 'c|d']],
    ['a byte order mark', '\ufeffa,b', ['a|b']],
    ['a separator in quotes', '"a,b",c', ['a,b|c']],
    ['a line break in quotes', '"a\r\nb",c', ['a\r\nb|c']],
    ['two quotes in quotes', '"a ""b""",c', ['a "b"|c']],
    ['a quote within a cell', 'a,5" disk', ['a|5" disk']],
    ['blanks after a quoted cell', '"a" ,b', ['a|b']],
    ['empty cells', ',"",\n', ['||']],
    ['a blank line', 'a\n\nb', ['a', '', 'b']],
    ['letters outside the basic plane', 'a,𐐷é\n', ['a|𐐷é']],
    ['an empty file', '', []],
  ])('%s', async (_what, text, rows) => {
    const bytes = bytesOf(text);
    expect(await cellsOf(bytes)).toEqual(rows);
    // The parts of a stream end anywhere.
    for (const size of [1, 2, 3]) expect(await cellsOf(bytes, size)).toEqual(rows);
  });

  test('UTF-16 with a byte order mark, as PowerShell writes it', async () => {
    const bytes = new Uint8Array(Buffer.from('\ufeffa;é\r\nb;c', 'utf16le'));
    expect(await cellsOf(bytes, 3)).toEqual(['a|é', 'b|c']);
  });

  test('with the number of their first line', async () => {
    const rows = await collect(readCsv(inParts(bytesOf('a\r\n"b\r\nc"\r\n\r\nd'), 4)));
    expect(rows.map(({ line }) => line)).toEqual([1, 2, 4, 5]);
  });
});

describe('a file that is no CSV is refused with the line', () => {
  test.each([
    ['a quote that is not closed', 'a\n"b\nc', 'Line 2: a quote of this row is never closed.'],
    ['text after a closing quote', 'a\n"b"c\n', 'Line 2: text follows a closing quote'],
    ['a row that does not end', `a\n"${'x\n'.repeat(40_000)}`, 'Line 2: a row has at most 65536'],
  ])('%s', async (_what, text, sentence) => {
    await expect(cellsOf(bytesOf(text))).rejects.toThrow(sentence);
  });

  test('other bytes than UTF-8', async () => {
    const bytes = new Uint8Array(Buffer.from('a\nM\u00fcller', 'latin1'));
    await expect(cellsOf(bytes, 2)).rejects.toThrow('Line 2: the text is neither UTF-8 nor UTF-16');
  });
});

describe('records have the columns of the first row', () => {
  const columns = { required: ['name', 'firstName'], optional: ['zipCode'] } as const;
  const read = (text: string) =>
    collect(readCsvRecords<'name' | 'firstName' | 'zipCode'>(inParts(bytesOf(text), 5), columns));

  test('in any order and spelling, without blank rows and cells', async () => {
    expect(await read('First name,ZIP_CODE,name\nAda, ,shop\n,,\nBob,1\n')).toEqual([
      { line: 2, values: { firstName: 'Ada', name: 'shop' } },
      { line: 4, values: { firstName: 'Bob', zipCode: '1' } },
    ]);
  });

  test.each([
    ['an unknown column', 'name,firstName,zip\n', '"zip" is no column; the columns are name, f'],
    ['a repeated column', 'name,firstName,Name\n', 'the column "name" is named twice.'],
    ['a missing column', 'zipCode\n', 'the first row must name the columns name, firstName.'],
    ['too many cells', 'name,firstName\na,b,c\n', 'Line 2: the row has 3 cells, and the first'],
  ])('%s is refused', async (_what, text, sentence) => {
    const error = await read(text).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(CsvError);
    expect(String(error)).toContain(sentence);
  });
});
