import { parseWithinLimits } from './limits/parse-within.ts';

/** Whether all operations of a document ask for the schema and nothing else; false for what is no document. */
export function onlyIntrospects(text: string): boolean {
  try {
    return parseWithinLimits(text, { noLocation: true }).definitions.every(
      (one) =>
        one.kind === 'FragmentDefinition' ||
        (one.kind === 'OperationDefinition' &&
          one.selectionSet.selections.every(
            (field) => field.kind === 'Field' && field.name.value.startsWith('__'),
          )),
    );
  } catch {
    return false;
  }
}
