import { printSchema } from 'graphql';
import { memoize } from '../../lib/lazy.ts';
import { type Routes, withFacts } from '../http/routes.ts';
import type { Documents } from './documents.ts';
import type { FileContext } from './file-context.ts';

const print = memoize(printSchema);

/** The SDL of the fields that a caller may use. */
export const schemaRoutes = ({ beginFile }: FileContext, schemaOf: Documents['schemaOf']): Routes =>
  withFacts(
    { kind: 'schema' },
    {
      async '/schema.graphql'(request) {
        await beginFile(request, { caller: 'of the credentials', upstreamCalls: 0 });
        const headers = { 'content-type': 'text/plain; charset=utf-8' };
        return { headers, body: print(schemaOf(request.caller)) };
      },
    },
  );
