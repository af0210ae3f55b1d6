import type { Found } from './use-search.ts';

/** The name as it was typed first, then the others in the order of the search, whenever they became known. */
export function inOrder(results: readonly Found[], typed: string): readonly Found[] {
  const placeOf = ({ name, unicodeName, position }: Found) =>
    name === typed || unicodeName === typed ? -1 : position;
  return results.toSorted((one, other) => placeOf(one) - placeOf(other));
}
