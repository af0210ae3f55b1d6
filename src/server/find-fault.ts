import { PothosValidationError } from '@pothos/core';
import { GraphQLError } from 'graphql';
import { Fault, faults } from '../kernel/faults.ts';

/**
 * The fault behind an error that a client is about to see; null for a bug of ours.
 *
 * Four kinds are not bugs: a Fault however deeply wrapped; what was refused with an HTTP status of the client's kind; a
 * document or variable that does not fit the schema; an argument that a plugin of the schema refuses.
 */
export function findFault(error: unknown): Fault | null {
  const chain = [...causes(error)];
  const fault = chain.find((one) => one instanceof Fault);
  if (fault) return fault;
  const isInput = chain.some((one) => one instanceof PothosValidationError) || isClientError(chain);
  if (!isInput) return null;
  const message = error instanceof Error ? error.message : faults.BAD_USER_INPUT.message;
  return new Fault('BAD_USER_INPUT', { message });
}

/** The error, what it wraps, and so on. */
function* causes(error: unknown): Generator<unknown> {
  const seen = new Set<unknown>();
  let current = error;
  while (current instanceof Error && !seen.has(current)) {
    seen.add(current);
    yield current;
    current = (current instanceof GraphQLError && current.originalError) || current.cause;
  }
}

function isClientError(chain: readonly unknown[]): boolean {
  const outer = chain[0];
  if (!(outer instanceof GraphQLError)) return false;
  const status = httpStatus(outer);
  if (status !== undefined) return status >= 400 && status < 500;
  // What is wrong with an argument points at its place in the document, and what is wrong with a variable at no field. A
  // value that cannot be written into an answer belongs to a field, and points nowhere itself.
  const inner = chain.at(-1);
  return inner instanceof GraphQLError && (inner.nodes !== undefined || outer.path === undefined);
}

const httpStatus = ({ extensions }: GraphQLError): number | undefined => {
  const { http } = extensions as { http?: { status?: number } };
  return http?.status;
};
