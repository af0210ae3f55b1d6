import { getNamedType } from 'graphql';
import { schema } from '../../src/app/graph.ts';

/** The type of the input of a mutation. @throws Error for a mutation without an input */
export function inputTypeOf(mutation: string): string {
  const [input] = schema.getMutationType()?.getFields()[mutation]?.args ?? [];
  if (!input) throw new Error(`${mutation} has no input.`);
  return getNamedType(input.type).name;
}
