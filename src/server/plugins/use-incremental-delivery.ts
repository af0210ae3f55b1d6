import { type DirectiveNode, type DocumentNode, visit } from 'graphql';
import { accepts } from '../accepts.ts';
import { delayingDirectives, isDelaying } from '../delaying.ts';
import type { Layer } from '../layer.ts';
import { requestFault } from '../request-fault.ts';
import { runWhole } from '../run-whole.ts';

type Variables = Readonly<Record<string, unknown>>;

/**
 * Takes `@defer` and `@stream` out of a document whose answer has to be one piece: the client asks for neither
 * `multipart/mixed` nor an event stream by name. What is answered in one piece is executed as on the plain way.
 *
 * It refuses an `initialCount` that is no count, over which the executor would stumble.
 */
export const useIncrementalDelivery = (): Layer => ({
  full: {
    onExecute({ args, context, setExecuteFn, setResultAndStopExecution }) {
      const delays = delayingDirectives(args.document);
      const variables: Variables = args.variableValues ?? {};
      if (delays.some((one) => !isCounted(one, variables))) {
        setResultAndStopExecution({ errors: [requestFault('BAD_USER_INPUT', sentence, 400)] });
        return;
      }
      if (delays.length === 0) return setExecuteFn(runWhole);
      if (accepts(context.request.headers.get('accept') ?? '', pieces)) return;
      setExecuteFn((all) => runWhole({ ...all, document: inOnePiece(all.document) }));
    },
  },
  plain: { none: 'a document with @defer or @stream goes the full way' },
});

const pieces = ['multipart/mixed', 'text/event-stream'];
const sentence = 'The "initialCount" of "@stream" is a whole number from 0.';

const inOnePiece = (document: DocumentNode): DocumentNode =>
  visit(document, { Directive: (node) => (isDelaying(node) ? null : undefined) });

function isCounted(directive: DirectiveNode, variables: Variables): boolean {
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
