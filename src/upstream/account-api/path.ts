import { Fault } from '../../kernel/faults.ts';

/**
 * Fills `{id}` in a path from the fields; `rest` has the other fields.
 *
 * @throws Fault `INVALID_INPUT` for a value that would change the path: empty, `.` or `..`.
 */
export function fillPath(pattern: string, fields: Readonly<Record<string, unknown>>) {
  const rest = { ...fields };
  const path = pattern.replaceAll(/\{(\w+)\}/g, (_placeholder, name: string) => {
    const value = String(fields[name]);
    delete rest[name];
    if (['', '.', '..'].includes(value)) {
      throw new Fault('INVALID_INPUT', { message: `"${value}" is not a valid ${name}.` });
    }
    return encodeURIComponent(value.toWellFormed());
  });
  return { path, rest };
}
