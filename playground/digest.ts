import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';

/** A digest of the inputs of the built playground: our sources, and the versions of the packages that they import. */
export function playgroundDigest(): string {
  const here = new URL('./', import.meta.url);
  const sources = readdirSync(new URL('src/', here)).map((name) => `src/${name}`);
  const hash = createHash('sha256');
  for (const path of [...sources.sort(), 'build.ts', 'package-lock.json']) {
    hash
      .update(`${path}\0`)
      .update(readFileSync(new URL(path, here)))
      .update('\0');
  }
  return hash.digest('hex');
}
