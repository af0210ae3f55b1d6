import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { brotliDecompress, gzip } from 'node:zlib';
import type { Route } from '../../http/routes.ts';

const built = new URL('built/', import.meta.url);

const types: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  ttf: 'font/ttf',
  woff2: 'font/woff2',
  svg: 'image/svg+xml',
};

/** One route per built file. The name contains a digest of the content, so browsers may cache it forever. */
export function assetRoutes(prefix: string): Readonly<Record<string, Route>> {
  const names = readdirSync(built).flatMap((name) => /^(.+)\.br$/.exec(name)?.[1] ?? []);
  return Object.fromEntries(names.map((name) => [`${prefix}/${name}`, assetRoute(name)]));
}

function assetRoute(name: string): Route {
  const type = types[name.replace(/^.*\./, '')] ?? 'application/octet-stream';
  const forms = createForms(new URL(`${name}.br`, built));
  return async (request) => {
    const encoding = encodingFor(request.headers.get('accept-encoding') ?? '');
    const { body, etag } = await forms[encoding]();
    const headers = {
      etag,
      'cache-control': 'public, max-age=31536000, immutable',
      vary: 'accept-encoding',
    };
    if (request.headers.get('if-none-match')?.includes(etag)) {
      return new Response(null, { status: 304, headers });
    }
    return new Response(body, {
      headers: {
        ...headers,
        'content-type': type,
        ...(encoding !== 'identity' && { 'content-encoding': encoding }),
      },
    });
  };
}

type Encoding = 'br' | 'gzip' | 'identity';

/** Browsers accept `br` over HTTPS and from localhost only. */
function encodingFor(accepted: string): Encoding {
  if (/\bbr\b/.test(accepted)) return 'br';
  return /\bgzip\b/.test(accepted) ? 'gzip' : 'identity';
}

interface Form {
  readonly body: Uint8Array<ArrayBuffer>;
  readonly etag: string;
}

/** The file in each encoding, created on first use; only `br` is on disk. */
function createForms(file: URL): Readonly<Record<Encoding, () => Promise<Form>>> {
  const br = once(async () => await readFile(file));
  const identity = once(async () => promisify(brotliDecompress)((await br()).body));
  const gzipped = once(async () => promisify(gzip)((await identity()).body));
  return { br, identity, gzip: gzipped };
}

function once(make: () => Promise<Buffer>): () => Promise<Form> {
  let form: Promise<Form> | undefined;
  return () => {
    form ??= make().then((bytes) => ({ body: new Uint8Array(bytes), etag: etagOf(bytes) }));
    return form;
  };
}

const etagOf = (bytes: Uint8Array) =>
  `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`;
