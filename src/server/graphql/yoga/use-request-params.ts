import type { Plugin } from 'graphql-yoga';
import { decodeBody, parseBody, parseQuery } from '../params.ts';

/** Reads the parameters of a GET or POST as the fast path does. */
export const useRequestParams = (): Plugin => ({
  onRequestParse({ request, url, setRequestParser }) {
    setRequestParser(
      request.method === 'POST'
        ? async (post) => parseBody(decodeBody(new Uint8Array(await post.arrayBuffer()))) as object
        : () => parseQuery(url.searchParams) as object,
    );
  },
});
