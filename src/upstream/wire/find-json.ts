import * as syntax from '../../lib/json.ts';
import { parseJson } from '../../lib/json.ts';

/** Objects and lists inside one another in a reply. Real replies have fewer than ten. */
export const maxReplyDepth = 100;
/** Maximum length of a prefix; a PHP warning is shorter. */
const maxPrefixLength = 64 * 1024;

/**
 * The JSON object or array of a body, also after a PHP warning; undefined when there is no complete one,
 * or when it is nested deeper than any real reply. In a body without a backslash the object that is its member `mapName` may
 * be a Map.
 *
 * The time is linear in the length of the text: it is parsed once.
 */
export function findJson(body: string, mapName?: string): unknown {
  const start = startIn(body);
  if (start === -1) return undefined;
  const json = body.slice(start).trimEnd();
  const split = mapName === undefined ? null : splitMap(json, mapName);
  const rest = split?.rest ?? json;
  if (syntax.isDeeperThan(rest, maxReplyDepth)) return undefined;
  const value = parseJson(rest);
  if (!split || !value) return value;
  const members = parseJson(`[${split.parts.join(',')}]`);
  if (!Array.isArray(members) || members.length !== split.parts.length) return undefined;
  const map = new Map<unknown, unknown>();
  for (let at = 0; at < members.length; at += 2) {
    if (typeof members[at] !== 'string') return undefined;
    map.set(members[at], members[at + 1]);
  }
  return Object.assign(value, { [mapName as string]: map });
}

/**
 * The text of an object with nothing in one of its members, and the texts of the keys and values of this member; null when
 * they are not found. `JSON.parse` takes three times as long for an object of names that no reply had before: V8 creates a
 * hidden class for each of them.
 */
function splitMap(json: string, mapName: string) {
  const start = new RegExp(`^\\{[^[\\]{}]*"${mapName}"\\s*:\\s*\\{`).exec(json)?.[0].length;
  if (start === undefined) return null;
  const parts: string[] = [];
  let end = start - 1;
  do {
    const from = end + 1;
    const opening = json.indexOf('"', from);
    // An empty object has no key.
    if (opening < 0 || json.slice(from, opening).trim() !== '') return null;
    const colon = json.indexOf(':', syntax.endOfString(json, opening));
    end = endOfValue(json, colon + 1);
    if (colon < opening || end < 0) return null;
    parts.push(json.slice(from, colon), json.slice(colon + 1, end));
  } while (json.charCodeAt(end) === syntax.comma);
  // The last member of a name counts.
  if (json.includes(`"${mapName}"`, end)) return null;
  return { rest: json.slice(0, start) + json.slice(end), parts };
}

/** Where the comma or bracket is that ends the value at `from`; -1 without one, or when the value is nested too deeply. */
function endOfValue(json: string, from: number): number {
  let depth = 0;
  for (let at = from; at < json.length; at += 1) {
    switch (json.charCodeAt(at)) {
      case syntax.quote:
        at = syntax.endOfString(json, at);
        if (at < 0) return -1;
        break;
      case syntax.comma:
        if (depth === 0) return at;
        break;
      case syntax.openObject:
      case syntax.openList:
        depth += 1;
        if (depth > maxReplyDepth) return -1;
        break;
      case syntax.closeObject:
      case syntax.closeList:
        if (depth === 0) return at;
        depth -= 1;
    }
  }
  return -1;
}

/**
 * Where in the first bytes of a body its JSON begins: 0, or behind a prefix. `later` when more of it has to be seen,
 * `nowhere` when it is too late for that.
 */
export function startOfJson(head: Buffer): number | 'later' | 'nowhere' {
  // One character per byte, so that positions are those of the bytes. A byte order mark is blank.
  const text = head.toString('latin1').replace(/^\xef\xbb\xbf/, '   ');
  const start = startIn(text);
  if (start !== -1) return start;
  return head.length > maxPrefixLength ? 'nowhere' : 'later';
}

/** Where the JSON of a text begins; -1 when it has none. */
function startIn(text: string): number {
  const blanks = text.length - text.trimStart().length;
  // A text that begins as JSON has no prefix: a search for one would return a part of a truncated text.
  return /[{[]/.test(text[blanks] ?? '') ? blanks : startAfterPrefix(text);
}

/**
 * Where an object or array begins after markup or at the start of a line; the first such place only.
 *
 * Written as a loop, since a regular expression for it would take quadratic time on a page of line breaks.
 */
function startAfterPrefix(text: string): number {
  let afterBreak = false;
  for (let at = 0; at < Math.min(text.length, maxPrefixLength); at += 1) {
    const character = text[at] ?? '';
    if (character === '>' || character === '\n') afterBreak = true;
    else if (afterBreak && beginsJson(text, at)) return at;
    else if (character.trim() !== '') afterBreak = false;
  }
  return -1;
}

/** `{"`, `{}`, `[{`, `["` or `[]`, blanks not counted; so neither CSS nor `[12]` in a sentence is taken for it. */
function beginsJson(text: string, at: number): boolean {
  const opener = text[at];
  if (opener !== '{' && opener !== '[') return false;
  let next = at + 1;
  while (/^\s$/.test(text[next] ?? '')) next += 1;
  return (opener === '{' ? '"}' : '{"[]').includes(text[next] ?? ' ');
}
