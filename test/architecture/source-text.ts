/** Code behind which a slash begins a regular expression; behind other code it divides. */
const beforeRegex =
  /(?:^|[(,=:[!&|?{;+\-*%~^<>]|\b(?:return|typeof|case|in|of|yield|await|else|do|void|delete|instanceof|throw))$/;

/** Enough characters to find the code before a slash, past blanks and comments. */
const lookBack = 400;

/**
 * The code only: comments and the contents of strings, templates and regular expressions become blanks.
 *
 * Offsets do not change, so that a text can be read from the source by its offset. Code inside `${…}` remains.
 */
export function codeOf(source: string): string {
  const code = knownCode.get(source) ?? readCode(source);
  knownCode.set(source, code);
  return code;
}

/** The tests of the architecture read the same files. */
const knownCode = new Map<string, string>();

/** Other characters change nothing. */
const markers = /[/'"`{}]/g;

function readCode(source: string): string {
  const code = source.split('');
  /** One entry per open template: how many braces are open inside its `${`. */
  const templates: number[] = [];
  let at = 0;

  const blankTo = (end: number) => {
    for (; at < end; at += 1) if (code[at] !== '\n') code[at] = ' ';
  };
  const blankInside = (end: number) => {
    at += 1;
    blankTo(end - 1);
    at = end;
  };
  /** From inside a template to its end or into its next `${`. */
  const blankTemplate = () => {
    const end = endOf(source, at, /\\[\s\S]|`|\$\{/g);
    const isHole = source.slice(end - 2, end) === '${';
    blankTo(end - (isHole ? 2 : 1));
    at = end;
    if (isHole) templates.push(0);
  };
  const isRegexNext = () =>
    beforeRegex.test(
      code
        .slice(Math.max(0, at - lookBack), at)
        .join('')
        .trimEnd(),
    );

  for (;;) {
    markers.lastIndex = at;
    const marker = markers.exec(source);
    if (!marker) return code.join('');
    at = marker.index;
    const one = source.charAt(at);
    const two = source.slice(at, at + 2);
    const depth = templates.at(-1);
    if (two === '//') blankTo(endOf(source, at, /(?=\n)/g));
    else if (two === '/*') blankTo(endOf(source, at + 2, /\*\//g));
    else if (one === "'") blankInside(endOf(source, at + 1, /\\[\s\S]|'|\n/g));
    else if (one === '"') blankInside(endOf(source, at + 1, /\\[\s\S]|"|\n/g));
    else if (one === '/' && isRegexNext()) {
      blankInside(endOf(source, at + 1, /\\.|\[(?:\\.|[^\]\\\n])*\]|\/|\n/g));
    } else {
      at += 1;
      if (one === '`') blankTemplate();
      else if (one === '{' && depth !== undefined) templates[templates.length - 1] = depth + 1;
      else if (one === '}' && depth === 0) {
        templates.pop();
        blankTemplate();
      } else if (one === '}' && depth !== undefined) templates[templates.length - 1] = depth - 1;
    }
  }
}

/** The offset behind the first match that is neither an escape nor a class of a regular expression. */
function endOf(source: string, from: number, pattern: RegExp): number {
  pattern.lastIndex = from;
  for (let match = pattern.exec(source); match; match = pattern.exec(source)) {
    if (!/^[\\[]/.test(match[0])) return pattern.lastIndex;
  }
  return source.length;
}
