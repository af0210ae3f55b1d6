import { execute } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { accepts } from '../../http/media-types.ts';
import { incrementalDirectives, withoutIncrementalDirectives } from '../single-result.ts';

/**
 * Removes `@defer` and `@stream` from a document whose client accepts neither `multipart/mixed` nor an event stream by
 * name. A response in one part is executed as on the fast path.
 */
export const useIncrementalDelivery = (): Plugin => ({
  onExecute({ args: { document }, context, setExecuteFn }) {
    if (incrementalDirectives(document).length === 0) return setExecuteFn(execute);
    if (accepts(context.request.headers.get('accept') ?? '', incrementalTypes)) return;
    const inOnePart = withoutIncrementalDirectives(document);
    setExecuteFn((args) => execute({ ...args, document: inOnePart }));
  },
});

const incrementalTypes = ['multipart/mixed', 'text/event-stream'];
