import { getOperationAST } from 'graphql';
import type { Beginning, Begun, Layer } from '../layer.ts';
import { createOperationFacts } from '../operation-facts.ts';
import { giveNotes, notesOf, type RequestNotes, type RequestView } from '../request-view.ts';
import type { RequestWatch } from '../request-watch.ts';

/** Notes down what is executed for a request, and tells whoever watches. */
export function useNotes(watch: RequestWatch | undefined): Layer {
  const factsOf = createOperationFacts();
  const begins = (asked: Begun, request: RequestView): void => {
    const notes = notesOf(request);
    // What could not even begin on the plain way begins anew on the full one.
    if (notes.operation) return;
    notes.operation = factsOf(asked);
    watch?.operationBegins(notes, notes.operation);
  };

  const beginsFull = ({ args }: Beginning): void => {
    const { document, operationName, contextValue } = args;
    const operation = getOperationAST(document, operationName);
    const { request, params } = contextValue;
    if (operation) begins({ operation, text: params.query ?? '' }, request);
  };
  return {
    full: {
      onRequest({ request, serverContext }) {
        const { notes } = serverContext as { notes?: RequestNotes };
        if (notes) giveNotes(request, notes);
      },
      onExecute: beginsFull,
      onSubscribe: beginsFull,
    },
    plain: { begins },
  };
}
