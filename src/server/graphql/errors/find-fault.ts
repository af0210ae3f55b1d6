import { PothosValidationError } from '@pothos/core';
import { GraphQLError } from 'graphql';
import { Fault, faults } from '../../../kernel/faults.ts';
import { httpExtensionOf } from './request-fault.ts';

/**
 * The fault that an error reports; null for an unexpected error.
 *
 * Four kinds of error are expected: a wrapped Fault at any depth, a refusal with a 4xx status, a document or variable that
 * does not fit the schema, and an argument that a Pothos plugin refuses.
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

/** The error and the errors that it wraps. */
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
  const { status } = httpExtensionOf(outer);
  if (status !== undefined) return status >= 400 && status < 500;
  // An error of an argument has nodes of the document, and an error of a variable has no path. An error of a value that
  // cannot be serialized has the path of its field, and its inner error has no nodes.
  const inner = chain.at(-1);
  return inner instanceof GraphQLError && (inner.nodes !== undefined || outer.path === undefined);
}
