import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Runs the test files with the shortest last run first: a quick test that finds a mutant saves the slow ones. */
export class QuickestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const duration = (file: TestSpecification) =>
      this.ctx.cache.getTestSpecificationResult(file)?.duration ?? 0;
    return files.toSorted((a, b) => duration(a) - duration(b));
  }
}
