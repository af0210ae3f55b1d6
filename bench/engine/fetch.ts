import type { Pool } from 'undici';

export interface Fetched {
  readonly status: number;
  readonly text: string;
}

/** Posts JSON to the graph; see `fetchText`. */
export const postToGraph = (pool: Pool, body: string): Promise<Fetched> =>
  fetchText(pool, 'POST', '/graphql', body);

/** Sends a request without a stream for its response: the load generator shares a core with the mock. */
export function fetchText(
  pool: Pool,
  method: 'GET' | 'POST',
  path: string,
  body: string | null,
): Promise<Fetched> {
  return new Promise((resolve, reject) => {
    let status = 0;
    const chunks: Buffer[] = [];
    const headers = { 'content-type': 'application/json', accept: 'application/json' };
    pool.dispatch(
      { method, path, headers, body },
      {
        onRequestStart() {},
        onResponseStart(_controller, code) {
          status = code;
        },
        onResponseData: (_controller, chunk) => void chunks.push(chunk),
        onResponseEnd: () => resolve({ status, text: Buffer.concat(chunks).toString() }),
        onResponseError: (_controller, error) => reject(error),
      },
    );
  });
}
