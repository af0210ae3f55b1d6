import type { Reporter, TestCase, TestModule, Vitest } from 'vitest/node';
import { whyNotShort } from './long.ts';

/** The end of the title of a test or group that is skipped for `why`; the summary reads it there. Empty when it is not skipped. */
export const because = (why: string | null): string => (why === null ? '' : ` (skipped: ${why})`);

export const whyNotLinux: string | null = process.platform === 'linux' ? null : 'only on Linux';

const reasonIn = / \(skipped: (.+)\)$/;

/** Of the test or the closest group around it. The long form alone runs a test without one. */
function reasonOf(test: TestCase): string {
  for (let at: TestCase | TestCase['parent'] = test; at.type !== 'module'; at = at.parent) {
    const reason = reasonIn.exec(at.name)?.[1];
    if (reason !== undefined) return reason;
  }
  return whyNotShort ?? 'its title gives no reason';
}

/** One line for each reason why tests are skipped: the number of tests, and what runs them. */
export function summarize(modules: readonly TestModule[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const test of modules.flatMap(({ children }) => [...children.allTests('skipped')])) {
    const { note } = test.result() as { readonly note?: string };
    const reason = note ?? reasonOf(test);
    counts.set(reason, (counts.get(reason) ?? 0) + 1);
  }
  return [...counts].map(
    ([reason, count]) => `Skipped ${count} ${count === 1 ? 'test' : 'tests'}: ${reason}.`,
  );
}

/** Prints the summary at the end, unless a pattern of names or a filter of tags skips tests too. */
export class SkipSummary implements Reporter {
  #vitest: Vitest | undefined;

  onInit(vitest: Vitest): void {
    this.#vitest = vitest;
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    if (this.#vitest?.getGlobalTestNamePattern() || this.#vitest?.config.tagsFilter) return;
    for (const line of summarize(modules)) this.#vitest?.logger.log(` ${line}`);
  }
}
