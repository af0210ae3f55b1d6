import { stripIgnoredCharacters } from 'graphql';
import { LRUCache } from 'lru-cache';
import { parseWithinLimits } from '../limits/parse-within.ts';

/** Cached results. */
const maxCached = 1_000;
/** Characters; the results of longer texts are not cached, which bounds the memory. */
const maxCachedLength = 20_000;

/** Creates a predicate for membership in `texts` that ignores blanks, commas and comments. */
export function createListedTexts(texts: Iterable<string>): (text: string) => boolean {
  const listed = new Set([...texts].flatMap((text) => [text, bare(text)]));
  const cached = new LRUCache<string, boolean>({ max: maxCached });
  return (text) => {
    if (listed.has(text)) return true;
    const known = cached.get(text);
    if (known !== undefined) return known;
    const isListed = listed.has(bare(text));
    if (text.length <= maxCachedLength) cached.set(text, isListed);
    return isListed;
  };
}

/** The text without ignored characters; unchanged if it cannot be parsed. */
export function bare(text: string): string {
  try {
    return stripIgnoredCharacters(text);
  } catch {
    return text;
  }
}

/** Whether all operations of a document are introspection only; false for an invalid document. */
export function onlyIntrospects(text: string): boolean {
  try {
    return parseWithinLimits(text, { noLocation: true }).definitions.every(
      (one) =>
        one.kind === 'FragmentDefinition' ||
        (one.kind === 'OperationDefinition' &&
          one.selectionSet.selections.every(
            (field) => field.kind === 'Field' && field.name.value.startsWith('__'),
          )),
    );
  } catch {
    return false;
  }
}
