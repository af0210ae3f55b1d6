import type { Found } from './use-search.ts';

/** What most people look for; an event of the search does not tell its place among the endings. */
const wellKnown = ['com', 'net', 'org', 'io', 'co', 'app', 'dev'];

/** The name as it was typed first, then well-known endings, then the others as they became known. */
export function inOrder(results: readonly Found[], typed: string): readonly Found[] {
  const placeOf = ({ name, unicodeName }: Found) => {
    if (name === typed || unicodeName === typed) return -1;
    const place = wellKnown.indexOf(name.slice(name.indexOf('.') + 1));
    return place < 0 ? wellKnown.length : place;
  };
  return results.toSorted((one, other) => placeOf(one) - placeOf(other));
}
