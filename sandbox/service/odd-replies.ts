import type { Reply } from './http.ts';

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

export const oddReplyOf = (name: string): OddReply | null =>
  Object.hasOwn(oddReplies, name) ? oddReplies[name as keyof typeof oddReplies] : null;
