/**
 * Parses RFC 4180, character by character. Independent of the code that writes CSV.
 *
 * @throws Error for text that is not in the grammar of RFC 4180, which ends each record here with a line break.
 */
export function parseCsv(text: string): string[][] {
  const records: string[][] = [];
  let at = 0;
  const fail = (what: string): never => {
    throw new Error(`${what} at ${at}: ${JSON.stringify(text.slice(at, at + 20))}`);
  };
  const readQuoted = (): string => {
    let value = '';
    for (at += 1; ; at += 1) {
      if (at >= text.length) fail('A quoted cell does not end');
      if (text[at] !== '"') value += text[at];
      else if (text[at + 1] === '"') value += text[at++];
      else break;
    }
    at += 1;
    return value;
  };
  const readPlain = (): string => {
    const start = at;
    while (at < text.length && text[at] !== ',' && text[at] !== '\r') {
      if (text[at] === '"' || text[at] === '\n') fail('A cell needs quotes');
      at += 1;
    }
    return text.slice(start, at);
  };
  while (at < text.length) {
    const record: string[] = [];
    for (let isLast = false; !isLast; ) {
      record.push(text[at] === '"' ? readQuoted() : readPlain());
      isLast = text[at] !== ',';
      if (!isLast) at += 1;
    }
    if (text.slice(at, at + 2) !== '\r\n') fail('A record does not end');
    at += 2;
    if (records[0] && records[0].length !== record.length) fail('A record has another length');
    records.push(record);
  }
  return records;
}

/** The records after the first one, by the names that it has. */
export function csvObjects(text: string): readonly Readonly<Record<string, string>>[] {
  const [names = [], ...records] = parseCsv(text);
  return records.map((record) =>
    Object.fromEntries(names.map((name, at) => [name, record[at] ?? ''])),
  );
}
