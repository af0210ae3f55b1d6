import type { DirectiveNode, OperationTypeNode } from 'graphql';
import { accepts } from '../../http/media-types.ts';
import { requestFault } from '../errors/request-fault.ts';
import { incrementalDirectives } from '../incremental-directives.ts';
import type { RequestedOperation, Rule } from '../rule.ts';

/** Refuses a subscription whose client accepts no event stream, and `@stream` with an invalid `initialCount`. */
export const checkDelivery = (): Rule => ({
  onOperation({ operation, document, variables }, request) {
    const subscription: `${OperationTypeNode}` = 'subscription';
    if (operation.operation === subscription && !acceptsStream(request.header('accept'))) {
      return requestFault('BAD_USER_INPUT', noStream, 406);
    }
    return incrementalDirectives(document).every((one) => isCountValid(one, variables ?? {}))
      ? null
      : requestFault('BAD_USER_INPUT', invalidCount, 400);
  },
});

const acceptsStream = (accept: string | null): boolean =>
  !accept || accepts(accept, ['text/event-stream', 'text/*', '*/*']);

const noStream = 'A subscription is an event stream; send `accept: text/event-stream`.';
const invalidCount = 'The "initialCount" of "@stream" must be an integer of at least 0.';

function isCountValid(
  directive: DirectiveNode,
  variables: NonNullable<RequestedOperation['variables']>,
): boolean {
  const argument = directive.arguments?.find(({ name }) => name.value === 'initialCount');
  switch (argument?.value.kind) {
    case undefined:
      return true;
    case 'IntValue':
      return Number(argument?.value.value) >= 0;
    case 'Variable': {
      const value = variables[argument?.value.name.value];
      return value === undefined || (typeof value === 'number' && value >= 0);
    }
    default:
      return false;
  }
}
