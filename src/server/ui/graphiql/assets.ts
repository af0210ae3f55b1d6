import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { brotliDecompress, gzip } from 'node:zlib';
import { lazy } from '../../../lib/lazy.ts';
import type { Route, Routes } from '../../http/routes.ts';

const built = new URL('built/', import.meta.url);

const types: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  ttf: 'font/ttf',
  woff2: 'font/woff2',
  svg: 'image/svg+xml',
};

/** One route per built file. The name contains a digest of the content, so browsers may cache it forever. */
export function assetRoutes(prefix: string): Routes {
  const names = readdirSync(built).flatMap((name) => /^(.+)\.br$/.exec(name)?.[1] ?? []);
  return Object.fromEntries(names.map((name) => [`${prefix}/${name}`, assetRoute(name)]));
}

function assetRoute(name: string): Route {
  const type = types[name.replace(/^.*\./, '')] ?? 'application/octet-stream';
  // Only `br` is on disk.
  const br = lazy(() => readFile(new URL(`${name}.br`, built)));
  const identity = lazy(async () => promisify(brotliDecompress)(await br()));
  const forms = { br, identity, gzip: lazy(async () => promisify(gzip)(await identity())) };
  return async (request) => {
    const encoding = encodingFor(request.header('accept-encoding') ?? '');
    return {
      headers: {
        'content-type': type,
        'cache-control': 'public, max-age=31536000, immutable',
        vary: 'accept-encoding',
        ...(encoding !== 'identity' && { 'content-encoding': encoding }),
      },
      body: await forms[encoding](),
    };
  };
}

/** Browsers accept `br` over HTTPS and from localhost only. */
function encodingFor(accepted: string): 'br' | 'gzip' | 'identity' {
  if (/\bbr\b/.test(accepted)) return 'br';
  return /\bgzip\b/.test(accepted) ? 'gzip' : 'identity';
}
