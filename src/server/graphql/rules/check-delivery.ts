import { type DirectiveNode, Kind, OperationTypeNode } from 'graphql';
import { isAcceptable } from '../../http/accept.ts';
import { requestFault } from '../../http/request-fault.ts';
import { incrementalDirectives } from '../delivery.ts';
import type { RequestedOperation, Rule } from '../rule.ts';

/** Refuses a subscription whose client accepts no event stream, and `@stream` with an invalid `initialCount`. */
export const checkDelivery = (): Rule => ({
  onOperation({ operation, document, variables }, request) {
    const isSubscription = operation.operation === OperationTypeNode.SUBSCRIPTION;
    if (isSubscription && !isAcceptable(request.header('accept'), 'text/event-stream')) {
      return requestFault('INVALID_REQUEST', noStream, 406);
    }
    return incrementalDirectives(document).every((one) => isCountValid(one, variables ?? {}))
      ? null
      : requestFault('INVALID_REQUEST', invalidCount, 422);
  },
});

const noStream = 'A subscription is an event stream; send `accept: text/event-stream`.';
const invalidCount = 'The "initialCount" of "@stream" must be an integer of at least 0.';

function isCountValid(
  directive: DirectiveNode,
  variables: NonNullable<RequestedOperation['variables']>,
): boolean {
  const given = directive.arguments?.find(({ name }) => name.value === 'initialCount')?.value;
  if (given === undefined) return true;
  if (given.kind === Kind.INT) return Number(given.value) >= 0;
  if (given.kind !== Kind.VARIABLE) return false;
  const value = variables[given.name.value];
  return value === undefined || (typeof value === 'number' && value >= 0);
}
