import { STATUS_CODES } from 'node:http';
import type { Call } from '../call.ts';
import { isObject, parseJson, type Reply } from '../http.ts';
import type { Service } from '../service.ts';
import { type AccountBody, calls } from './calls.ts';

/** An Account API request as a call. `path` begins with a slash; `text` is `null` when the body was too long. */
export function parseAccountCall(
  service: Service,
  method: string,
  path: string,
  authorization: string,
  text: string | null,
): Call {
  const found = calls.find((call) => call.method === method && call.path.test(path));
  const id = decode(found?.path.exec(path)?.[1] ?? '');
  const failure = (code: string) =>
    envelope(service, path, /^[45]\d\d$/.test(code) ? Number(code) : 500, 'Failed');

  return {
    action: found?.action ?? `${method} ${path}`,
    writes: found !== undefined,
    failure,
    run() {
      if (text === null) return envelope(service, path, 413, 'The body is too long.');
      const token = /^Bearer (\S+)$/i.exec(authorization)?.[1] ?? '';
      const user = service.store.hosting.userOf(token);
      if (user === undefined) return envelope(service, path, 401, 'Unauthorized');
      if (!found) return envelope(service, path, 404, `Cannot ${method} ${path}`);
      const body = readBody(text);
      if (!body) return envelope(service, path, 400, 'The body is no JSON object.');
      const reply = service.store.transaction(() => found.run({ service, user, token, id, body }));
      if (reply.status >= 400) return envelope(service, path, reply.status, String(reply.body));
      if (reply.body === undefined) return reply;
      const { status } = reply;
      const message = 'Success';
      return {
        ...reply,
        body: { statusCode: status, statusType: 'OK', message, data: reply.body },
      };
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

/** Null for text that is no JSON object; no text at all is an empty one. */
function readBody(text: string): AccountBody | null {
  const parsed = text.trim() === '' ? {} : parseJson(text);
  return isObject(parsed) ? parsed : null;
}

/** A malformed escape is taken as it stands. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
