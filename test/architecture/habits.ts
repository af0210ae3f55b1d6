import { type Files, importsOf } from './modules.ts';
import { codeOf } from './source-text.ts';

export interface Habit {
  /** Patterns that the code must not contain. */
  readonly patterns: readonly RegExp[];
  /** Forbidden imports: a module, or `module#name`. */
  readonly imports: readonly string[];
  readonly isAllowedIn: (path: string) => boolean;
}

/** Every line that has the habit outside the places where it is allowed, as `path:line: what`. */
export function findHabit(files: Files, { patterns, imports, isAllowedIn }: Habit) {
  return [...files]
    .filter(([path]) => !isAllowedIn(path))
    .flatMap(([path, source]) => {
      const code = codeOf(source);
      const lineAt = (offset: number) => code.slice(0, offset).split('\n').length;
      const written = patterns.flatMap((pattern) =>
        [...code.matchAll(new RegExp(pattern, `g${pattern.flags}`))].map(
          (match) => `${path}:${lineAt(match.index)}: ${match[0]}`,
        ),
      );
      const imported = importsOf(path, source)
        .flatMap(({ specifier, names }) => [
          specifier,
          ...names.map((name) => `${specifier}#${name}`),
        ])
        .map((name) => name.replace(/^node:/, ''))
        .filter((name) => imports.includes(name))
        .map((name) => `${path}: imports ${name}`);
      return [...written, ...imported];
    });
}
