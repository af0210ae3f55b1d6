import {
  backslash,
  closeList,
  closeObject,
  openList,
  openObject,
  quote,
} from './json-characters.ts';

/**
 * Whether a JSON text has more than `most` objects and lists inside one another. `JSON.parse` takes seconds and hundreds of
 * megabytes for millions of them.
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

/** Where the string that begins at `from` ends; -1 when it does not end. */
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
