import { readFile } from 'node:fs/promises';
import type { Clock } from '../kernel/clock.ts';

const timeoutMs = 5_000;

/** Reads a set of keys (JWKS) from a file. */
export const readJwksFile = (path: string) => async (): Promise<unknown> =>
  JSON.parse(await readFile(path, 'utf8'));

/** Fetches one. A redirect is refused: it could lead away from https. */
export const fetchJwks = (url: string, clock: Pick<Clock, 'deadline'>) => async () => {
  using deadline = clock.deadline(timeoutMs);
  const response = await fetch(url, {
    headers: { accept: 'application/json' },
    redirect: 'error',
    signal: deadline.signal,
  });
  if (!response.ok) throw new Error(`The keys are answered with ${response.status}.`);
  return (await response.json()) as unknown;
};
