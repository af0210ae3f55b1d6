/** The result of `work`, or `fallback` when it throws. */
export function resultOr<T, U>(work: () => T, fallback: U): T | U {
  try {
    return work();
  } catch {
    return fallback;
  }
}

/** The value of a JSON text; undefined for text that is not JSON. */
export const parseJson = (text: string): unknown => resultOr(() => JSON.parse(text), undefined);

declare global {
  /** Available in Node 24, and not yet in `lib.es2024`. */
  interface JSON {
    rawJSON(text: string): unknown;
    isRawJSON(value: unknown): boolean;
  }
}

/** A JSON number that `JSON.stringify` writes with exactly these digits. */
export const rawJson = (digits: string): unknown => JSON.rawJSON(digits);

export const isRawJson = (value: unknown): boolean => JSON.isRawJSON(value);

/** The characters that give JSON its structure, the same in UTF-8 and UTF-16. */
export const [quote, comma, backslash, colon] = [0x22, 0x2c, 0x5c, 0x3a];
export const [openObject, closeObject, openList, closeList] = [0x7b, 0x7d, 0x5b, 0x5d];

/**
 * Whether a JSON text nests more than `most` objects and lists. `JSON.parse` takes seconds and hundreds of megabytes for
 * millions of levels.
 */
export function isDeeperThan(text: string, most: number): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    switch (text.charCodeAt(at)) {
      case openObject:
      case openList:
        depth += 1;
        if (depth > most) return true;
        break;
      case closeObject:
      case closeList:
        depth -= 1;
        break;
      case quote:
        at = endOfString(text, at);
        if (at < 0) return false;
    }
  }
  return false;
}

/** The position of the quote that ends the string that begins at `from`; -1 when it does not end. */
export function endOfString(text: string, from: number): number {
  let end = text.indexOf('"', from + 1);
  while (end >= 0 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end;
}

function isEscaped(text: string, at: number): boolean {
  let slashes = 0;
  while (text.charCodeAt(at - 1 - slashes) === backslash) slashes += 1;
  return slashes % 2 === 1;
}

/** A name with other characters, or a longer one, could be a secret. */
const shownName = (name: string): string => (/^[\w-]{1,40}$/.test(name) ? `"${name}"` : '"…"');

const shownPart = (part: string | number): string =>
  typeof part === 'number' ? `[${part}]` : shownName(part);

/**
 * The first member that occurs twice in its object, such as `a second "margin" in "rules".[0]`; null when none does.
 * `JSON.parse` returns the last of the two. The text must be JSON.
 */
export function secondMember(text: string): string | null {
  /** The objects and lists around the position: the names of an object so far, and the current member or item. */
  const around: { readonly names: Set<string> | null; part: string | number }[] = [];
  let string = '';
  for (let at = 0; at < text.length; at += 1) {
    const inner = around.at(-1);
    switch (text.charCodeAt(at)) {
      case openObject:
        around.push({ names: new Set(), part: '' });
        break;
      case openList:
        around.push({ names: null, part: 0 });
        break;
      case closeObject:
      case closeList:
        around.pop();
        break;
      case quote: {
        const end = endOfString(text, at);
        if (end < 0) return null;
        string = text.slice(at, end + 1);
        at = end;
        break;
      }
      case comma:
        if (typeof inner?.part === 'number') inner.part += 1;
        break;
      case colon: {
        const name: string = JSON.parse(string);
        if (inner?.names?.has(name)) {
          const place = around.slice(0, -1).map(({ part }) => shownPart(part));
          return `a second ${shownName(name)}${place.length > 0 ? ` in ${place.join('.')}` : ''}`;
        }
        inner?.names?.add(name);
        if (inner) inner.part = name;
      }
    }
  }
  return null;
}
