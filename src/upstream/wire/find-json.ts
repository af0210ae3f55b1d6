import { isDeeperThan } from '../../lib/json-syntax.ts';

/** Objects and lists inside one another in a reply. Real replies have fewer than ten. */
export const mostReplyDepth = 100;
/** Maximum length of a prefix; a PHP warning is shorter. */
const longestPrefix = 64 * 1024;

/**
 * The JSON object or array of a body, also after a PHP warning; undefined when there is no complete one,
 * or when it is nested deeper than any real reply.
 *
 * The time is linear in the length of the text: it is parsed once.
 */
export function findJson(body: string): unknown {
  const text = body.trim();
  // A body that begins as JSON has no prefix: a search for one would return a part of a truncated body.
  const start = /^[{[]/.test(text) ? 0 : startAfterPrefix(text);
  if (start === -1) return undefined;
  const json = start === 0 ? text : text.slice(start);
  if (isDeeperThan(json, mostReplyDepth)) return undefined;
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

/**
 * Where in the first bytes of a body its JSON begins: 0, or behind a prefix. `later` when more of it has to be seen,
 * `nowhere` when it is too late for that.
 */
export function startOfJson(head: Buffer): number | 'later' | 'nowhere' {
  const text = head.toString();
  const trimmed = text.trimStart();
  const inTrimmed = /^[{[]/.test(trimmed) ? 0 : startAfterPrefix(trimmed);
  if (inTrimmed === -1) return head.length > longestPrefix ? 'nowhere' : 'later';
  return inBytes(head, text, text.length - trimmed.length + inTrimmed);
}

/** The byte position of the opener at `at`. Invalid UTF-8 changes the length of the text, but hides no opener. */
function inBytes(bytes: Buffer, text: string, at: number): number {
  const opener = text[at] ?? '';
  let found = bytes.indexOf(opener);
  for (let seen = text.indexOf(opener); seen < at; seen = text.indexOf(opener, seen + 1)) {
    found = bytes.indexOf(opener, found + 1);
  }
  return found;
}

/**
 * Where an object or array begins after markup or at the start of a line; the first such place only.
 *
 * Written as a loop, since a regular expression for it would take quadratic time on a page of line breaks.
 */
function startAfterPrefix(text: string): number {
  let afterBreak = false;
  for (let at = 0; at < Math.min(text.length, longestPrefix); at += 1) {
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
