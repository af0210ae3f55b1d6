import fc from 'fast-check';
import { actionsWithReply, quirks, replyText } from './fixtures.ts';

export type Path = readonly (string | number)[];

/** The places of everything in a body, leaves and containers alike. */
export function pathsIn(value: unknown, path: Path = []): readonly Path[] {
  if (typeof value !== 'object' || value === null) return [path];
  const entries = Object.entries(value);
  return [path, ...entries.flatMap(([key, one]) => pathsIn(one, [...path, key]))];
}

/** A copy with another value in one place; undefined leaves the place out. */
export function replaceAt(value: unknown, [key, ...rest]: Path, replacement: unknown): unknown {
  if (key === undefined) return replacement;
  const copy = structuredClone(value) as Record<string | number, unknown>;
  if (replacement === undefined && rest.length === 0) delete copy[key];
  else copy[key] = replaceAt(copy[key], rest, replacement);
  return copy;
}

/** What a careless server may put in the place of anything; undefined leaves it out. */
export const oddity = fc.oneof(
  fc.constantFrom<unknown>(
    undefined,
    null,
    '',
    '0',
    0,
    -1,
    [],
    {},
    true,
    'true',
    'OK',
    'ERROR',
    [[]],
    [null],
  ),
  fc.constantFrom<unknown>(
    1e308,
    '9'.repeat(40),
    '1e5',
    '\u0000',
    '2024-02-30T00:00:00',
    ' available ',
  ),
  fc.string(),
  fc.double({ noNaN: true }),
  fc.jsonValue({ maxDepth: 2 }),
);

/** Every reply of the Domain API that the specification shows or that was seen, with its action. */
export const domainFixtures = [...actionsWithReply, ...quirks.map((quirk) => `quirks/${quirk}`)]
  .map((name) => ({ name, action: name.replace('quirks/', '').split('.')[0] ?? '' }))
  .filter(({ action }) => actionsWithReply.includes(action))
  .map((fixture) => ({ ...fixture, body: JSON.parse(replyText(fixture.name)) as unknown }));

const deep = 'to be replaced by something deep';

/** What may become of a place beyond `oddity`: very long, very many, very deep. */
const excess = fc.constantFrom<unknown>(
  'x'.repeat(100_000),
  Array.from({ length: 5_000 }, () => ({})),
  deep,
  { result: 'OK', status: 'success', error: {}, data: [] },
);

const edit = fc.tuple(fc.nat(), fc.oneof({ weight: 9, arbitrary: oddity }, excess));

const edited = (body: unknown, edits: readonly (readonly [number, unknown])[]): unknown =>
  edits.reduce<unknown>((value, [pick, by]) => {
    const paths = pathsIn(value);
    return replaceAt(value, paths[pick % paths.length] ?? [], by);
  }, body);

/** What a careless server, or a proxy before it, may make of a whole text; `part` is where it is cut. */
const wrappings: Readonly<Record<string, (text: string, part: number) => string>> = {
  plain: (text) => text,
  warned: (text) => `<br />\n<b>Warning</b>: {"Undefined": [1]} in index.php<br />\n${text}`,
  page: (text) => `<!doctype html><html><body><pre>${text}</pre></body></html>`,
  quoted: (text) => JSON.stringify(text),
  followed: (text) => `${text}\n<!-- 0.012s -->`,
  twice: (text) => text + text,
  marked: (text) => `\ufeff${text}`,
  cut: (text, part) => text.slice(0, Math.floor(text.length * part)),
  beheaded: (text, part) => text.slice(Math.floor(text.length * part)),
};

export interface OddReply {
  readonly action: string;
  readonly status: number;
  /** The body before it was wrapped. */
  readonly value: unknown;
  readonly body: string;
}

/** Replies of these actions with up to three things wrong in the body, wrapped in something, under any status. */
export const oddReply = (...actions: readonly string[]): fc.Arbitrary<OddReply> =>
  fc
    .record({
      fixture: fc.constantFrom(...domainFixtures.filter(({ action }) => actions.includes(action))),
      edits: fc.array(edit, { maxLength: 3 }),
      wrapping: fc.constantFrom('plain', 'plain', ...Object.keys(wrappings)),
      part: fc.double({ min: 0, max: 1, noNaN: true }),
      status: fc.constantFrom(200, 200, 200, 201, 204, 302, 400, 400, 401, 403, 404, 429, 500, 502),
    })
    .map(({ fixture, edits, wrapping, part, status }) => {
      const value = edited(fixture.body, edits);
      const levels = 20_000;
      const text = (JSON.stringify(value) ?? '').replaceAll(
        `"${deep}"`,
        `${'['.repeat(levels)}${']'.repeat(levels)}`,
      );
      const body = wrappings[wrapping]?.(text, part) ?? text;
      return { action: fixture.action, status, value, body };
    });
