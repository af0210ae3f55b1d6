import {
  type Completed,
  FieldInfo,
  type FieldPlan,
  type SelectionPlan,
  type ValuePlan,
} from './plan.ts';
import type { Path, QueryRun, Settled, Text } from './run.ts';

// The order of calls, and the number of promises between them, are those of graphql-js: batches of loaders depend on both.

export const isPromise = (value: unknown): value is Promise<unknown> =>
  ((typeof value === 'object' && value !== null) || typeof value === 'function') &&
  typeof (value as Partial<Promise<unknown>>).then === 'function';

export const isPending = (completed: Completed): completed is Promise<Settled> =>
  typeof completed === 'object' && completed !== null;

/** Executes the fields of an object. @throws the error of a field that cannot be null. */
export function executeFields(
  run: QueryRun,
  selection: SelectionPlan,
  source: unknown,
  path: Path | undefined,
): Text | Promise<Text> {
  if (run.isAbandoned()) return '{}';
  // An array that grows from the first item on takes more memory than most objects need.
  const completed = new Array<Completed>(selection.length);
  let hasPending = false;
  try {
    for (let at = 0; at < selection.length; at += 1) {
      const value = executeField(run, selection[at] as FieldPlan, source, path);
      completed[at] = value;
      hasPending ||= isPending(value);
    }
  } catch (error) {
    if (!hasPending) throw error;
    // The object fails after the fields that have started, as their errors are reported too.
    return settle(selection, completed).finally(() => {
      throw error;
    });
  }
  return hasPending ? settle(selection, completed) : objectText(selection, completed as Text[]);
}

const settle = (selection: SelectionPlan, completed: readonly Completed[]): Promise<Text> =>
  Promise.all(completed).then((values) => objectText(selection, values));

function executeField(run: QueryRun, field: FieldPlan, source: unknown, prev?: Path): Completed {
  const info = new FieldInfo(run, field, prev);
  const { resolve } = field;
  try {
    const value = resolve(source, field.readArguments(run.variables), run.context, info);
    return completeValue(info, info, field, value);
  } catch (error) {
    return run.fail(error, info, info, field.isNonNull);
  }
}

/** Completes a value or a promise. @throws for a value that cannot be null. */
export function completeValue(
  info: FieldInfo,
  path: Path,
  { complete, isNonNull }: ValuePlan,
  value: unknown,
): Completed {
  const completed = isPromise(value)
    ? value.then((settled) => complete(info, path, settled))
    : complete(info, path, value);
  if (!isPending(completed)) return completed;
  return completed.then(undefined, (error) => info.run.fail(error, info, path, isNonNull));
}

function objectText(selection: SelectionPlan, values: readonly Settled[]): string {
  let text = '';
  for (let at = 0; at < values.length; at += 1) {
    const value = values[at];
    if (value === undefined) continue;
    text += `${text === '' ? '{' : ','}${selection[at]?.label}${textOf(value)}`;
  }
  return text === '' ? '{}' : `${text}}`;
}

const textOf = (value: Settled): Text =>
  typeof value === 'object' && value !== null ? listText(value) : value;

export function listText(items: readonly Settled[]): string {
  let text = '';
  for (const item of items) text += `${text === '' ? '[' : ','}${textOf(item) ?? null}`;
  return text === '' ? '[]' : `${text}]`;
}
