import { GraphQLError } from 'graphql';
import type { Log } from '../../observability/log.ts';
import { createDocumentTexts, type DocumentTextsOptions } from '../document-texts.ts';
import type { Layer } from '../layer.ts';
import type { Params } from '../params.ts';
import { createUnlistedLog } from '../unlisted-log.ts';

export interface PersistedDocumentsOptions extends Omit<DocumentTextsOptions, 'onUnlisted'> {
  readonly log: Log;
}

/**
 * Puts the text of the document in the place of its id or hash, before anything looks at it, and refuses or logs what is
 * not in the manifest, as the mode says.
 */
export function usePersistedDocuments({ log, ...options }: PersistedDocumentsOptions): Layer {
  const resolve = createDocumentTexts({ ...options, onUnlisted: createUnlistedLog(log) });
  return {
    full: {
      onParams({ request, params, setParams }) {
        const resolved = resolve(withIdOf(request, params as Params));
        if (resolved instanceof GraphQLError) throw resolved;
        setParams(resolved as typeof params);
      },
    },
    plain: {
      resolve(params) {
        const resolved = resolve(params);
        return resolved instanceof GraphQLError ? null : resolved;
      },
    },
  };
}

/** Yoga does not look for an id among the parameters of a GET. */
function withIdOf({ method, url }: Request, params: Params): Params {
  if (method !== 'GET' || !url.includes('documentId=')) return params;
  const documentId = URL.parse(url)?.searchParams.get('documentId');
  return documentId ? { ...params, documentId } : params;
}
