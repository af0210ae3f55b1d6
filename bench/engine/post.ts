import type { Pool } from 'undici';

export interface Posted {
  readonly status: number;
  readonly text: string;
}

/** Posts JSON to the graph, without a stream for each response: the load generator shares a core with the mock. */
export function post(pool: Pool, body: string): Promise<Posted> {
  return new Promise((resolve, reject) => {
    let status = 0;
    const chunks: Buffer[] = [];
    pool.dispatch(
      {
        method: 'POST',
        path: '/graphql',
        headers: { 'content-type': 'application/json', accept: 'application/json' },
        body,
      },
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
