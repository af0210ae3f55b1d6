import type { Caller } from '../kernel/caller.ts';
import { Recent } from '../kernel/recent.ts';
import type { OperationFacts } from '../observability/tracing.ts';

/** Whether an answer is still the one that the same question would get. */
export type Holds = () => boolean;

interface Told {
  readonly text: string;
  /** Who was told. After a change of rights somebody of the same name is another. */
  readonly caller: Caller;
  readonly holds: Holds;
  /** What it answers. */
  readonly operation: OperationFacts | undefined;
}

const mostAnswers = 256;
/** Characters of a question and its answer together. */
const longestTold = 65_536;

/** Answers to be told again as they were, while all that they rest on is kept and has not changed. */
export function createRepeated() {
  const told = new Recent<string, Told>(mostAnswers);
  return {
    find(question: string, caller: Caller): Told | null {
      const known = told.get(question);
      if (known?.caller === caller && known.holds()) return known;
      if (known) told.delete(question);
      return null;
    },
    keep(question: string, answer: Told): void {
      if (question.length + answer.text.length <= longestTold) told.set(question, answer);
    },
  };
}
