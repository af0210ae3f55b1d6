import { execFileSync } from 'node:child_process';

/** Lines of a file, counted from 1, both ends included. */
export interface Lines {
  readonly file: string;
  readonly from: number;
  readonly to: number;
}

/** The lines below the folders that the working tree adds or changes since a commit. Deleted lines are none. */
export function changedLines(commit: string, folders: readonly string[]): readonly Lines[] {
  const diff = ['diff', '--unified=0', '--no-ext-diff', '--no-color', '--no-prefix'];
  // The default is 1 MB, less than the diff of a week.
  const options = { encoding: 'utf8', maxBuffer: 2 ** 28 } as const;
  return linesOf(execFileSync('git', [...diff, commit, '--', ...folders], options));
}

/** @param diff unified, without context and without prefixes of files */
export function linesOf(diff: string): readonly Lines[] {
  let file = '';
  return diff.split('\n').flatMap((line) => {
    file = /^\+\+\+ (.+)$/.exec(line)?.[1] ?? file;
    const [, start, count = '1'] = /^@@ -\S+ \+(\d+)(?:,(\d+))? @@/.exec(line) ?? [];
    const from = Number(start);
    return start && count !== '0' ? [{ file, from, to: from + Number(count) - 1 }] : [];
  });
}
