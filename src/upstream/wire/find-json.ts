import { parseJson } from '../../lib/json.ts';
import * as syntax from '../../lib/json-syntax.ts';

/** Objects and lists inside one another in a reply. Real replies have fewer than ten. */
export const maxReplyDepth = 100;
/** Maximum length of a prefix; a PHP warning is shorter. */
const maxPrefixLength = 64 * 1024;

/**
 * The JSON object or array of a body, also after a PHP warning; undefined when there is no complete one,
 * or when it is nested deeper than any real reply. An object that is the member `mapName` of the body is a Map.
 *
 * The time is linear in the length of the text: it is parsed once.
 */
export function findJson(body: string, mapName?: string): unknown {
  const start = startIn(body);
  if (start === -1) return undefined;
  const json = body.slice(start).trimEnd();
  const split = mapName === undefined ? null : splitMap(json, `"${mapName}"`);
  if (!split) return syntax.isDeeperThan(json, maxReplyDepth) ? undefined : parseJson(json);
  const value = parseJson(split.rest);
  const members = parseJson(split.members);
  if (!value || !Array.isArray(members) || members.length % 2 > 0) return undefined;
  const map = new Map<unknown, unknown>();
  for (let at = 0; at < members.length; at += 2) {
    if (typeof members[at] !== 'string') return undefined;
    map.set(members[at], members[at + 1]);
  }
  return Object.assign(value, { [mapName as string]: map });
}

/**
 * The text of an object with nothing in one of its members, and the keys and values of this member as a list. Null when it
 * has no such member. `JSON.parse` takes two to three times as long for an object of names that no reply had before: V8
 * creates a hidden class for each of them.
 */
function splitMap(json: string, quotedName: string) {
  if (!json.startsWith('{')) return null;
  let depth = 0;
  let name = '';
  let [start, end, from] = [0, 0, 0];
  const parts: string[] = [];
  for (let at = 0; at < json.length; at += 1) {
    const isInMap = depth === 2 && start > 0 && end === 0;
    const hasKey = parts.length % 2 > 0;
    const code = json.charCodeAt(at);
    switch (code) {
      case syntax.quote: {
        const close = syntax.endOfString(json, at);
        if (close < 0) return null;
        if (depth === 1) name = json.slice(at, close + 1);
        at = close;
        // The last member of a name counts, and this may be its name.
        if (start > 0 && name === quotedName && depth === 1) return null;
        break;
      }
      case syntax.colon:
      case syntax.comma:
        if (!isInMap) break;
        // A key ends with a colon, and a value with a comma.
        if (hasKey === (code === syntax.colon)) return null;
        parts.push(json.slice(from, at));
        from = at + 1;
        break;
      case syntax.openObject:
      case syntax.openList:
        depth += 1;
        if (depth > maxReplyDepth) return null;
        if (depth === 2 && code === syntax.openObject && name === quotedName) {
          from = at + 1;
          start = from;
        }
        break;
      case syntax.closeObject:
      case syntax.closeList:
        if (isInMap) {
          parts.push(json.slice(from, at));
          end = at;
        }
        depth -= 1;
    }
  }
  if (end === 0) return null;
  return { rest: json.slice(0, start) + json.slice(end), members: `[${parts.join(',')}]` };
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
