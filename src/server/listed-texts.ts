import { stripIgnoredCharacters } from 'graphql';
import { Recent } from '../kernel/recent.ts';

/** Texts of which it is remembered whether they are listed. */
const mostRemembered = 1_000;
/** A longer text is looked at anew each time, so that a thousand of them stay small. */
const longestRemembered = 20_000;

/** Tells whether a text is one of `texts`, whatever its blanks, commas and comments: clients print a document as they like. */
export function createListedTexts(texts: Iterable<string>): (text: string) => boolean {
  const listed = new Set([...texts].flatMap((text) => [text, bare(text)]));
  const remembered = new Recent<string, boolean>(mostRemembered);
  return (text) => {
    if (listed.has(text)) return true;
    const known = remembered.get(text);
    if (known !== undefined) return known;
    const isListed = listed.has(bare(text));
    if (text.length <= longestRemembered) remembered.set(text, isListed);
    return isListed;
  };
}

/** The text without what means nothing; as it is where it cannot be read. */
export function bare(text: string): string {
  try {
    return stripIgnoredCharacters(text);
  } catch {
    return text;
  }
}
