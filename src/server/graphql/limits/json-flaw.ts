import { excessSentence, isReserved, jsonLimits, reservedSentence } from './limits.ts';

/** Why the JSON of a request is refused: a reserved key, or an exceeded limit. Null when there is no reason. */
export function findJsonFlaw(value: unknown): string | null {
  // The loop also visits the values that it adds.
  const nested = [value];
  let keys = 0;
  for (const one of nested) {
    if (Array.isArray(one)) {
      if (one.length > jsonLimits.listItems.most) return excess(jsonLimits.listItems);
      for (const item of one) if (typeof item === 'object') nested.push(item);
    } else if (one !== null && typeof one === 'object') {
      for (const [key, member] of Object.entries(one)) {
        if (isReserved(key)) return reservedSentence(key);
        keys += 1;
        if (typeof member === 'object') nested.push(member);
      }
      if (keys > jsonLimits.keys.most) return excess(jsonLimits.keys);
    }
  }
  return null;
}

export const excess = (limit: (typeof jsonLimits)[keyof typeof jsonLimits]): string =>
  excessSentence('The JSON of a request', limit, null);
