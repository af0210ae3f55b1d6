import { Fault } from './faults.ts';

/** One member of an upstream reply: its value, or the fault that reading it met. One bad leaf costs that leaf alone. */
export type Leaf<T> = T | Fault;

/** The value of a leaf. @throws Fault the one it holds, which GraphQL then reports at that field. */
export function readLeaf<T>(leaf: Leaf<T>): T {
  if (leaf instanceof Fault) throw leaf;
  return leaf;
}

/** The value of a leaf where the caller can do without it. */
export const leafOr = <T, U>(leaf: Leaf<T>, fallback: U): T | U =>
  leaf instanceof Fault ? fallback : leaf;

/** Stands in for a secret in an answer that was kept: it has to be asked for anew, and can't be read by mistake. */
export const notKept = new Fault('INTERNAL', { executed: 'NO' });
