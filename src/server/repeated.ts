import { Recent } from '../kernel/recent.ts';

/** Whether an answer is still the one that the same question would get. */
export type Holds = () => boolean;

interface Told {
  readonly text: string;
  readonly holds: Holds;
}

const mostAnswers = 256;
/** Of question and answer together, in characters. */
const longestText = 65_536;

/** Answers to be told again as they were, while all that they rest on is kept and has not changed. */
export function createRepeated() {
  const told = new Recent<string, Told>(mostAnswers);
  return {
    find(question: string): string | null {
      const known = told.get(question);
      if (known?.holds()) return known.text;
      if (known) told.delete(question);
      return null;
    },
    keep(question: string, text: string, holds: Holds): void {
      if (question.length + text.length <= longestText) told.set(question, { text, holds });
    },
  };
}
