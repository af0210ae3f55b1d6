import { Fault } from '../../kernel/faults.ts';

/**
 * Fills `{id}` in a path from the fields, and hands back the fields that it did not take.
 *
 * @throws Fault `INVALID_INPUT` for a value that a proxy would read as another path: empty, `.` or `..`.
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
