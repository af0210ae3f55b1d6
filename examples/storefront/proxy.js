// Forwards what the pages need to the gateway, with the token of the session, which no script receives.

import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** Bytes; the gateway's own default. */
const longestBody = 262_144;

/** The methods of the paths that are not files of the storefront; null for a file. */
const methodsOf = (path, payments) => {
  if (path === '/session') return ['GET', 'POST', 'DELETE'];
  if (path === '/payments' && payments) return ['POST'];
  if (path === '/graphql') return ['POST'];
  return /^\/export\/(?:domains|purchases|prices|statement)\.csv$/.test(path) ? ['GET'] : null;
};

/**
 * A plugin of Vite for both of its servers.
 *
 * @param {object} options
 * @param {string} options.gateway origin of the gateway, such as `http://127.0.0.1:4000`
 * @param {ReturnType<import('./session.js').createSessions>} options.sessions
 * @param {Promise<ReturnType<import('paid-orders').createPayments>> | null} [options.payments] null when orders are not paid
 */
export function gatewayProxy(options) {
  // After Vite's check of the Host header, which prevents DNS rebinding, and before its files.
  const use = ({ middlewares }) => void middlewares.use(createProxy(options));
  return { name: 'gateway-proxy', configureServer: use, configurePreviewServer: use };
}

/** A middleware that forwards, refuses, or passes a request for another path on. */
function createProxy({ gateway, sessions, payments = null }) {
  return async (request, response, next) => {
    const { method, url } = request;
    const [path] = url.split('?');
    // Stripe signs its requests, and is no page.
    if (path === '/webhooks/stripe' && payments) return (await payments).handle(request, response);
    const methods = methodsOf(path, payments);
    if (methods === null) return next();
    const flaw = flawOf(request, methods);
    if (flaw) return refuse(response, ...flaw);
    // A page that closes a stream ends it in the gateway too.
    const closed = new AbortController();
    response.on('close', () => closed.abort());
    try {
      if (path === '/session')
        return await respondToSession({ sessions, payments }, request, response);
      const body = method === 'POST' ? await readBody(request) : undefined;
      if (body === null) return refuse(response, 413, 'The request is too large.');
      const authorization = `Bearer ${sessions.tokenOf(request)}`;
      if (path === '/payments') {
        const headers = { ...picked(request.headers, ['content-type']), authorization };
        const payment = Object.assign(Readable.from([body]), { method, url, headers });
        return await (await payments).handle(payment, response);
      }
      const reply = await fetch(new URL(method === 'GET' ? url : path, gateway), {
        method,
        headers: {
          ...picked(request.headers, ['accept', 'content-type']),
          authorization,
        },
        body,
        // The token is for this gateway only.
        redirect: 'error',
        signal: closed.signal,
      });
      response.writeHead(reply.status, picked(Object.fromEntries(reply.headers), shownHeaders));
      // Before the first event of a stream.
      response.flushHeaders();
      await pipeline(reply.body ? Readable.fromWeb(reply.body) : Readable.from([]), response);
    } catch {
      if (response.headersSent) response.destroy();
      else refuse(response, 502, 'The gateway cannot be reached.');
    }
  };
}

/** Reads, starts or ends a session. */
async function respondToSession({ sessions, payments }, request, response) {
  const { method } = request;
  if (method === 'GET') {
    const session = sessions.describe(request);
    const paysByCard = payments !== null && session.account?.isStaff === false;
    return respond(200, {}, { ...session, paysByCard });
  }
  if (method === 'DELETE') return respond(200, { 'set-cookie': sessions.end(request) }, {});
  const cookie = await sessions.start(request, parsed(await readBody(request)));
  if (cookie === null) return refuse(response, 401, 'The sign-in is refused.');
  return respond(200, { 'set-cookie': cookie }, {});

  function respond(status, headers, body) {
    const type = { 'content-type': 'application/json', 'cache-control': 'no-store' };
    response.writeHead(status, { ...type, ...headers }).end(JSON.stringify(body));
  }
}

function parsed(body) {
  try {
    return JSON.parse(body);
  } catch {
    return null;
  }
}

const shownHeaders = [
  ...['content-type', 'content-disposition', 'cache-control', 'last-modified'],
  ...['retry-after', 'x-list-complete', 'x-request-id'],
];

const picked = (headers, names) =>
  Object.fromEntries(names.flatMap((name) => (headers[name] ? [[name, headers[name]]] : [])));

/** Status and sentence for a request that is not from a page of this storefront; null for one that is. */
function flawOf({ method, headers }, methods) {
  const { host = '', origin, 'sec-fetch-site': site } = headers;
  if (!methods.includes(method)) return [405, `This path accepts ${methods.join(', ')} only.`];
  const isForeign = origin
    ? !isOrigin(origin, host)
    : !['same-origin', 'none', undefined].includes(site);
  if (isForeign) return [403, 'Only pages of this storefront may send this request.'];
  // A page of another site cannot send this type without a preflight, which fails.
  const isJson = /^application\/json\s*(?:;|$)/.test(headers['content-type'] ?? '');
  return method === 'POST' && !isJson ? [415, 'The content type must be application/json.'] : null;
}

const isOrigin = (origin, host) => [`http://${host}`, `https://${host}`].includes(origin);

/** The whole body; null when it is too large. */
async function readBody(request) {
  const parts = [];
  let length = 0;
  for await (const part of request) {
    length += part.length;
    if (length > longestBody) return null;
    parts.push(part);
  }
  return Buffer.concat(parts);
}

function refuse(response, status, text) {
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8', connection: 'close' });
  response.end(`${text}\n`);
}
