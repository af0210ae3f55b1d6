import type { Callers, Refusal } from '../../access/callers.ts';
import { readCredentials } from '../credentials.ts';
import type { Layer } from '../layer.ts';
import { requestFault } from '../request-fault.ts';
import { notesOf, type RequestView } from '../request-view.ts';

/**
 * Answers only who shows a key of this gateway or a token of one of its issuers, and notes down who that is; health and
 * the page of GraphiQL are not asked.
 */
export const useCallers = (callers: Callers): Layer => ({
  full: {
    async onRequestParse({ request }) {
      const found = await callers.identify(readCredentials(request.headers));
      if ('sentence' in found) throw faultOf(found);
      notesOf(request).caller = found;
    },
  },
  plain: {
    admits(request: RequestView) {
      const caller = callers.known(readCredentials(request.headers));
      if (caller) notesOf(request).caller = caller;
      return caller !== null;
    },
  },
});

const faultOf = ({ sentence, challenge, isOurs }: Refusal) =>
  isOurs
    ? requestFault('UPSTREAM_UNAVAILABLE', sentence, 503)
    : requestFault('UNAUTHENTICATED', sentence, 401, { 'www-authenticate': challenge });
