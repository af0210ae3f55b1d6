import {
  closeList,
  closeObject,
  colon,
  comma,
  openList,
  openObject,
  quote,
} from '../kernel/json-characters.ts';

/**
 * Parses JSON in which the member of that name is an object keyed by what was asked about; that member becomes a Map. Keys
 * that no object had before would each leave V8 a hidden class, which outlives the reply.
 *
 * What is written otherwise than replies are is parsed as usual, and that member is then an object like any other.
 */
export function createEntriesParser(member: string): (text: string) => unknown {
  // Few members come first, and each of them is short.
  const scalar = /\s*"[^"]*"\s*:\s*(?:"[^"]*"|[\w.+-]+)\s*,/.source;
  const head = new RegExp(`^\\s*\\{(?:${scalar}){0,8}\\s*"${member}"\\s*:\\s*(?=\\{)`);
  const name = `"${member}"`;

  /** Null for what is written otherwise. */
  const parseReply = (text: string): object | null => {
    // An escape could hide where a text ends, or write the name in another way.
    if (text.includes('\\')) return null;
    const before = head.exec(text)?.[0];
    if (before === undefined) return null;
    const entries = cutOut(text, before.length + 1);
    // The last member of a name counts.
    if (!entries || text.includes(name, entries.end)) return null;
    const pairs: unknown[] = JSON.parse(entries.pairs);
    if (!pairs.every(isPair)) return null;
    const body = JSON.parse(`${before}null${text.slice(entries.end)}`);
    body[member] = new Map(pairs);
    return body;
  };
  return (text) => parseReply(text) ?? JSON.parse(text);
}

const isPair = (pair: unknown): pair is [string, unknown] =>
  Array.isArray(pair) && pair.length === 2 && typeof pair[0] === 'string';

/** The members of the object that `from` is in, as a list of pairs, and where it ends; null when it does not. */
function cutOut(
  text: string,
  from: number,
): { readonly pairs: string; readonly end: number } | null {
  let pairs = '';
  let start = from;
  let depth = 1;
  for (let at = from; at < text.length; at += 1) {
    const character = text.charCodeAt(at);
    if (character === quote) {
      at = text.indexOf('"', at + 1);
      if (at === -1) return null;
    } else if (character === openObject || character === openList) {
      depth += 1;
    } else if (character === closeObject || character === closeList) {
      depth -= 1;
      if (depth > 0) continue;
      const last = text.slice(start, at);
      const isEmpty = start === from && last.trim() === '';
      return character === closeObject
        ? { pairs: isEmpty ? '[]' : `[[${pairs}${last}]]`, end: at + 1 }
        : null;
    } else if (depth === 1 && (character === comma || character === colon)) {
      pairs += `${text.slice(start, at)}${character === comma ? '],[' : ','}`;
      start = at + 1;
    }
  }
  return null;
}
