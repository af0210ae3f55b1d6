import { STATUS_CODES } from 'node:http';
import { z } from 'zod';
import { resultOr } from '../src/lib/json.ts';
import type { Call } from './service/call-log.ts';
import { parseObject, type Reply } from './service/http.ts';
import type { Service } from './service/service.ts';

/** A reply of the Account API outside its own envelope. */
interface OddReply {
  /** Whether the call is executed first. */
  readonly isDone: boolean;
  readonly reply: Reply;
}

const page = (status: number, title: string, text: string): Reply => ({
  status,
  body: `<!doctype html>\n<html><head><title>${title}</title></head><body>${text}</body></html>\n`,
  headers: { 'content-type': 'text/html; charset=utf-8' },
});

const refused = (reply: Reply): OddReply => ({ isDone: false, reply });
const done = (reply: Reply): OddReply => ({ isDone: true, reply });

/** A call with the token `demo-token.html` is a call with `demo-token` that has the reply `html`. */
export const oddReplies = {
  result: refused({
    status: 200,
    body: {
      result: 'ERROR',
      error: { Code: 'API_7777_ERROR', Message: 'Failed', Details: 'The account is on hold.' },
    },
  }),
  success: refused({ status: 200, body: { success: false, message: 'The account is on hold.' } }),
  error: refused({ status: 200, body: { error: 'The account is on hold.' } }),
  html: refused(page(200, 'Sign in', '<form method="post"><input name="user"></form>')),
  '401': refused(page(401, '401 Unauthorized', '<h1>401 Unauthorized</h1>')),
  '403': refused(page(403, '403 Forbidden', '<h1>403 Forbidden</h1>')),
  object: done({ status: 200, body: {} }),
  nothing: done({ status: 204 }),
} satisfies Readonly<Record<string, OddReply>>;

const oddReplyOf = (name: string): OddReply | null =>
  Object.hasOwn(oddReplies, name) ? oddReplies[name as keyof typeof oddReplies] : null;

/** What a call works with besides its path. */
interface AccountContext {
  readonly service: Service;
  /** The username of the reseller whose token it is. */
  readonly user: string;
  readonly token: string;
  /** The `{id}` of the path. */
  readonly id: string;
  readonly body: Readonly<Record<string, unknown>>;
}

/** A status of 400 or more has its sentence as body; a reply without a body is sent empty. */
type RunAccountCall = (context: AccountContext) => Reply;

const cartItem = z.object({
  description: z.string(),
  quantity: z.number(),
  price: z.number(),
  total: z.number(),
  productType: z.string(),
});

const cart = z.object({ cartDetails: z.array(cartItem).min(1) });

const group = z.object({
  hostingGroupName: z.string().min(1).exactOptional(),
  hostingGroupDescription: z.string().exactOptional(),
  hostingGroupImage: z.union([z.literal(''), z.url()]).exactOptional(),
});

const refuse = (status: number, body: string): Reply => ({ status, body });

const log = ({ store, clock }: Service, user: string, text: string) =>
  store.logs.add({ user, text, at: clock.now().toISOString() });

/** The five calls of the specification. Where it shows no reply, the common envelope is used, or nothing at all. */
const calls: Readonly<Record<string, RunAccountCall>> = {
  'POST /auth/logout'({ service, user, token }) {
    service.store.tokens.remove({ id: token });
    log(service, user, 'logout');
    return { status: 201, body: {} };
  },
  'POST /carts'({ service, user, body }) {
    const parsed = cart.safeParse(body);
    if (!parsed.success) {
      const isEmpty = Array.isArray(body.cartDetails) && body.cartDetails.length === 0;
      const rule = isEmpty
        ? 'cartDetails should not be empty'
        : 'cartDetails must be an array of cart items';
      return refuse(400, rule);
    }
    const id = `cart_${service.randomness.uuid().replaceAll('-', '').slice(0, 20)}`;
    const { cartDetails } = parsed.data;
    const total = cartDetails.reduce((sum, item) => sum + item.total, 0);
    const createdAt = service.clock.now().toISOString();
    service.store.carts.save({ id, user, cartDetails, total, createdAt });
    log(service, user, `cart ${id}`);
    return { status: 201, body: { id } };
  },
  'PATCH /hosting/group/{id}'({ service, user, id, body }) {
    const found = service.store.groups.find({ user, id });
    if (!found) return refuse(404, 'Hosting group not found');
    const parsed = group.safeParse(body);
    if (!parsed.success) return refuse(400, 'The hosting group is not valid');
    const changed = { ...found, ...parsed.data, updatedAtMs: service.clock.nowMs() };
    service.store.groups.save(changed);
    const { user: _, updatedAtMs: __, ...shown } = changed;
    return { status: 200, body: shown };
  },
  // The specification names no group. This sandbox removes the caller's most recently updated one.
  'DELETE /hosting/group'({ service, user }) {
    const groups = service.store.groups.list({ user });
    const latest = groups.toSorted((one, other) => one.updatedAtMs - other.updatedAtMs).at(-1);
    if (!latest) return refuse(404, 'Hosting group not found');
    service.store.groups.remove({ id: latest.id });
    return { status: 200, body: { id: latest.id } };
  },
  // The specification names no scope. This sandbox removes all logs of the caller, and answers with nothing.
  'DELETE /logs'({ service, user }) {
    service.store.logs.remove({ user });
    return { status: 200 };
  },
};

/** An Account API request as a call. `path` begins with a slash; `text` is `null` when the body was too long. */
export function parseAccountCall(
  service: Service,
  method: string,
  path: string,
  authorization: string,
  text: string | null,
): Call {
  const [, group] = /^\/hosting\/group\/([^/]+)$/.exec(path) ?? [];
  const action = `${method} ${group === undefined ? path : '/hosting/group/{id}'}`;
  const execute = Object.hasOwn(calls, action) ? calls[action] : undefined;
  const id = decode(group ?? '');
  const failure = (code: string, reason = 'Failed') =>
    envelope(service, path, /^[45]\d\d$/.test(code) ? Number(code) : 500, reason);

  return {
    action: execute ? action : `${method} ${path}`,
    writes: execute !== undefined,
    failure,
    run() {
      if (text === null) return envelope(service, path, 413, 'The body is too long.');
      const [, token = '', odd = ''] = /^Bearer (\S+?)(?:\.(\w+))?$/i.exec(authorization) ?? [];
      const user = service.store.tokens.find({ id: token })?.user;
      if (user === undefined) return envelope(service, path, 401, 'Unauthorized');
      if (!execute) return envelope(service, path, 404, `Cannot ${method} ${path}`);
      const other = oddReplyOf(odd);
      if (other && !other.isDone) return other.reply;
      const body = text.trim() === '' ? {} : parseObject(text);
      if (!body) return envelope(service, path, 400, 'The body is no JSON object.');
      const reply = service.store.transaction(() => execute({ service, user, token, id, body }));
      if (reply.status >= 400) return envelope(service, path, reply.status, String(reply.body));
      if (other) return other.reply;
      const { status, body: data } = reply;
      if (data === undefined) return reply;
      return { status, body: { statusCode: status, statusType: 'OK', message: 'Success', data } };
    },
  };
}

/** A failure in the common envelope. */
function envelope(service: Service, path: string, status: number, message: string): Reply {
  return {
    status,
    body: {
      statusCode: status,
      statusType: STATUS_CODES[status] ?? 'Error',
      message,
      timestamp: service.clock.now().toISOString(),
      path: `/account-api${path}`,
    },
  };
}

/** A malformed escape is taken as it stands. */
const decode = (text: string): string => resultOr(() => decodeURIComponent(text), text);
