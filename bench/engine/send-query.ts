import type { Pool } from 'undici';

/** Sends a query and reads its response. @throws Error when that has errors. */
export async function sendQuery(pool: Pool, query: string): Promise<void> {
  const { body } = await pool.request({
    method: 'POST',
    path: '/graphql',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify({ query }),
  });
  const text = await body.text();
  if (text.includes('"errors":[')) throw new Error(text.slice(0, 300));
}
