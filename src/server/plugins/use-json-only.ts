import type { Layer } from '../layer.ts';
import { requestFault } from '../request-fault.ts';

/**
 * Refuses every POST that is not JSON, so that no HTML form of a foreign site can send one without asking first.
 *
 * GET stays open to queries, which change nothing; its `variables` and `extensions` have to be JSON too.
 */
export const useJsonOnly = (): Layer => ({
  full: {
    onRequestParse({ request, url, requestParser }) {
      if (request.method === 'POST' && (!isJson(request) || !requestParser)) {
        throw requestFault('BAD_USER_INPUT', mediaTypeSentence, 415, {
          accept: 'application/json',
        });
      }
      if (request.method === 'GET') {
        for (const name of ['variables', 'extensions']) {
          if (!holdsJson(url.searchParams.get(name))) {
            throw requestFault('BAD_USER_INPUT', `The parameter \`${name}\` is not JSON.`, 400);
          }
        }
      }
    },
  },
  plain: { none: 'it takes nothing but a POST of JSON' },
});

const mediaTypeSentence = 'A POST request must have the content type `application/json`.';

const isJson = (request: Request): boolean =>
  /^application\/json\s*(?:;|$)/.test(request.headers.get('content-type') ?? '');

function holdsJson(text: string | null): boolean {
  try {
    return !text || JSON.parse(text) !== undefined;
  } catch {
    return false;
  }
}
