import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { Route, Routes } from '../http/routes.ts';
import { urlOf } from '../http/url-of.ts';

export const overviewPath = '/llms.txt';

/** Where `scripts/documents.ts` has written them: beside the bundle. The sources serve those of the last build. */
const folder = new URL(import.meta.url.endsWith('.ts') ? '../../../dist/' : './', import.meta.url);

/** The address of a gateway in the documents of the package. */
const packaged = 'http://127.0.0.1:4000/';

/** The documents, each at its path in the npm package, with the address that the client uses. */
export function documentRoutes(): Routes {
  const paths = globSync(['llms*.txt', 'docs/**/*.md'], { cwd: folder });
  return Object.fromEntries(
    paths.map((path) => {
      const type = path.endsWith('.md') ? 'text/markdown' : 'text/plain';
      const headers = { 'content-type': `${type}; charset=utf-8` };
      const route: Route = async ({ headers: { host = '' } }) => {
        const text = await readFile(new URL(path, folder), 'utf8');
        return { headers, body: text.replaceAll(packaged, () => urlOf(host, '/')) };
      };
      return [`/${path}`, route];
    }),
  );
}
