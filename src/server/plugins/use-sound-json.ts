import { badBody, decodeBody, jsonFault } from '../body.ts';
import type { Layer } from '../layer.ts';

/**
 * Reads the JSON of a request: the body of a POST, the parameters `variables` and `extensions` of a GET. It takes one
 * request at a time, and nothing that two readers would understand differently.
 */
export const useSoundJson = (): Layer => ({
  full: {
    onRequestParse({ request, url, setRequestParser }) {
      if (request.method === 'POST') {
        setRequestParser(async (posted) => parseBody(new Uint8Array(await posted.arrayBuffer())));
      } else {
        for (const name of ['variables', 'extensions']) {
          const text = url.searchParams.get(name);
          if (text) parseJson(text, `The parameter \`${name}\` is not JSON.`);
        }
      }
    },
  },
  plain: { none: 'it reads what it takes by the same rules, and leaves the refusal to this' },
});

function parseBody(body: Uint8Array): object {
  const text = decodeBody(body);
  if (text === null) throw badBody('The body is not in UTF-8.');
  const value = parseJson(text, 'The body is not JSON.');
  if (Array.isArray(value)) throw badBody('Batching is not supported.');
  if (typeof value === 'object' && value !== null) return value;
  throw badBody('The body is one JSON object.');
}

/** @throws GraphQLError with `sentence` when it is none. */
function parseJson(text: string, sentence: string): unknown {
  const fault = jsonFault(text);
  if (fault) throw fault;
  try {
    return JSON.parse(text);
  } catch {
    throw badBody(sentence);
  }
}
