import { type DocumentNode, visit } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { accepts } from '../../http/media-types.ts';
import { executeSingleResult } from '../execute-single-result.ts';
import { incrementalDirectives, isIncremental } from '../incremental-directives.ts';

/**
 * Removes `@defer` and `@stream` from a document whose client accepts neither `multipart/mixed` nor an event stream by
 * name. A response in one part is executed as on the fast path.
 */
export const useIncrementalDelivery = (): Plugin => ({
  onExecute({ args, context, setExecuteFn }) {
    if (incrementalDirectives(args.document).length === 0) return setExecuteFn(executeSingleResult);
    if (accepts(context.request.headers.get('accept') ?? '', incrementalTypes)) return;
    setExecuteFn((all) => executeSingleResult({ ...all, document: inOnePart(all.document) }));
  },
});

const incrementalTypes = ['multipart/mixed', 'text/event-stream'];

const inOnePart = (document: DocumentNode): DocumentNode =>
  visit(document, { Directive: (node) => (isIncremental(node) ? null : undefined) });
