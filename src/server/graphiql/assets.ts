import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Route } from '../plugins/use-routes.ts';

interface Asset {
  readonly type: string;
  readonly load: () => Promise<string>;
}

const script = 'text/javascript; charset=utf-8';

// Nine megabytes of text: loaded when somebody opens the page, not when the gateway starts.
const bundle = () => import('@graphql-yoga/render-graphiql/graphiql');

const assets: Readonly<Record<string, Asset>> = {
  'app.js': { type: script, load: async () => (await bundle()).js },
  'app.css': { type: 'text/css; charset=utf-8', load: async () => (await bundle()).css },
  'editor-worker.js': { type: script, load: async () => (await bundle()).editorWorkerService },
  'graphql-worker.js': { type: script, load: async () => (await bundle()).graphqlWorker },
  'json-worker.js': { type: script, load: async () => (await bundle()).jsonWorker },
  'boot.js': { type: script, load: () => ownFile('boot.js') },
  'icon.svg': { type: 'image/svg+xml', load: () => ownFile('icon.svg') },
};

const ownFile = (name: string) => readFile(new URL(name, import.meta.url), 'utf8');

/** One route for each file of the page: compressed once, with an ETag, and asked for again only by that. */
export function assetRoutes(prefix: string): Readonly<Record<string, Route>> {
  const routes = Object.entries(assets).map(([name, asset]) => [
    `${prefix}/${name}`,
    assetRoute(asset),
  ]);
  return Object.fromEntries(routes);
}

function assetRoute({ type, load }: Asset): Route {
  let prepared: Promise<Prepared> | undefined;
  return async (request) => {
    prepared ??= prepare(load);
    const { plain, zipped, etag } = await prepared;
    const headers = { etag, 'cache-control': 'no-cache', vary: 'accept-encoding' };
    if (request.headers.get('if-none-match')?.includes(etag)) {
      return new Response(null, { status: 304, headers });
    }
    const isZipped = /\bgzip\b/.test(request.headers.get('accept-encoding') ?? '');
    return new Response(isZipped ? zipped : plain, {
      headers: {
        ...headers,
        'content-type': type,
        ...(isZipped && { 'content-encoding': 'gzip' }),
      },
    });
  };
}

interface Prepared {
  readonly plain: Uint8Array<ArrayBuffer>;
  readonly zipped: Uint8Array<ArrayBuffer>;
  readonly etag: string;
}

async function prepare(load: () => Promise<string>): Promise<Prepared> {
  const plain = new TextEncoder().encode(await load());
  const zipped = new Uint8Array(await promisify(gzip)(plain));
  const etag = `"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`;
  return { plain, zipped, etag };
}
