import { anybody } from '../../kernel/caller.ts';
import type { Layer } from '../layer.ts';
import { requestFault } from '../request-fault.ts';
import { notesOf, type RequestView } from '../request-view.ts';

/** Answers only callers whose reseller account this gateway has. */
export function useKnownTenant(isTenant: (name: string) => boolean): Layer {
  const admits = (request: RequestView) => isTenant((notesOf(request).caller ?? anybody).tenant);
  return {
    full: {
      onRequestParse({ request }) {
        if (!admits(request)) throw requestFault('FORBIDDEN', sentence, 403);
      },
    },
    plain: { admits },
  };
}

const sentence =
  'The reseller account that this credential is for is none of this gateway; its operator has to name one that is.';
