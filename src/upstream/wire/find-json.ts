import { parseJson } from '../../lib/json.ts';
import { isDeeperThan } from '../../lib/json-syntax.ts';

/** Objects and lists inside one another in a reply. Real replies have fewer than ten. */
export const maxReplyDepth = 100;
/** Maximum length of a prefix; a PHP warning is shorter. */
const maxPrefixLength = 64 * 1024;

/**
 * The JSON object or array of a body, also after a PHP warning; undefined when there is no complete one,
 * or when it is nested deeper than any real reply.
 *
 * The time is linear in the length of the text: it is parsed once.
 */
export function findJson(body: string): unknown {
  const start = startIn(body);
  if (start === -1) return undefined;
  const json = body.slice(start).trimEnd();
  return isDeeperThan(json, maxReplyDepth) ? undefined : parseJson(json);
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
