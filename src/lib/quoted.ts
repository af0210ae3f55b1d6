const longestShown = 80;

/** Text of a client for an error message: quoted, shortened, and with invisible characters as `\u{200b}`. */
export function quoted(text: string): string {
  const shown = text.length > longestShown ? `${text.slice(0, longestShown)}…` : text;
  return `"${shown.replace(invisible, (one) => `\\u{${one.codePointAt(0)?.toString(16)}}`)}"`;
}

const invisible = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;
