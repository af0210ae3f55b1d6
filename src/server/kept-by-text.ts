import { Recent } from '../kernel/recent.ts';

/** Documents that are remembered. */
const mostDocuments = 1_000;
/** A longer text is read anew each time, so that a thousand of them stay small. */
const longestKept = 20_000;

/** What was made of a document, by its text. */
export function keptByText<Value>() {
  const kept = new Recent<string, Value>(mostDocuments);
  return {
    get: (text: string): Value | undefined => kept.get(text),
    set(text: string, value: Value): void {
      if (text.length <= longestKept) kept.set(text, value);
    },
  };
}
