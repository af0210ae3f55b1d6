import { describe, expect, test } from 'vitest';
import { CsvError, readCsv, readCsvRecords } from './csv.ts';

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
    ['a line that names the separator', 'sep=;\r\na,b;c\r\nd;e', ['', 'a,b|c', 'd|e']],
    ['such a line with a tab, behind blank lines', '\n \nSEP=\t\na;b\tc', ['', '', '', 'a;b|c']],
    ['such a line in quotes', '"sep=|"\na|b', ['', 'a|b']],
    ['blank lines before the first row', '\n\r\na;b,c;d\n', ['', '', 'a|b,c|d']],
    ['separators in quotes of the first row', '"a;b;c",d\n', ['a;b;c|d']],
    ['the guard of an export before formulas', "'=1,'@a,''+b,'plain,-1\n", ["=1|@a|'+b|'plain|-1"]],
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

  test.each([
    ['utf16le', 'domain,customer\r\nbücher.de,Ä\r\n'],
    ['utf16be', 'domain,customer\r\nbücher.de,Ä\r\n'],
    ['utf16be with a mark', '\ufeffa,b\r\n'],
  ])('%s without a byte order mark', async (encoding, text) => {
    const bytes = Buffer.from(text, 'utf16le');
    if (encoding.startsWith('utf16be')) bytes.swap16();
    const rows = text.replace('\ufeff', '').trim().split('\r\n');
    for (const size of [1, 3, 100]) {
      expect(await cellsOf(new Uint8Array(bytes), size)).toEqual(
        rows.map((row) => row.replaceAll(',', '|')),
      );
    }
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
    for (const size of [2, 100]) {
      await expect(cellsOf(bytes, size)).rejects.toThrow('Line 2: the text is neither UTF-8 nor');
    }
    await expect(cellsOf(bytesOf(`a\nb\n${'c'.repeat(80)}\0d`))).rejects.toThrow(
      'Line 3: the text is neither',
    );
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

  test('without empty columns at the end, in the header and the rows', async () => {
    expect(await read('sep=,\n\nname,firstName,,\nshop,Ada,,\nbar,,,\n')).toEqual([
      { line: 4, values: { firstName: 'Ada', name: 'shop' } },
      { line: 5, values: { name: 'bar' } },
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
