import { Fault } from './faults.ts';

/** One field of a decoded upstream reply: its value, or the fault of reading it. One bad value costs its own field only. */
export type FieldResult<T> = T | Fault;

/** Returns the value. @throws Fault the fault of the field; GraphQL then reports it at that field. */
export function unwrap<T>(result: FieldResult<T>): T {
  if (result instanceof Fault) throw result;
  return result;
}

/** Returns the value, or `fallback` where the field has a fault. */
export const valueOr = <T, U>(result: FieldResult<T>, fallback: U): T | U =>
  result instanceof Fault ? fallback : result;

/** Replaces a secret in a cached reply: the field must be read from the upstream, and reading it here throws. */
export const notCached = new Fault('INTERNAL', { executed: 'NO' });
