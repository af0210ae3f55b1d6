import type { z } from 'zod';
import { Fault } from '../../kernel/faults.ts';
import type { Read } from './read.ts';

/**
 * Decodes a reply into the gateway's spelling.
 *
 * @throws Fault `UPSTREAM_PROTOCOL` when the body does not match the row; the fault shows nothing of the body.
 */
export function decodeReply<Reply>(read: Read<Reply>, body: unknown): Reply {
  // A decoder throws on a body that is nested too deeply.
  const reply = attempt(() => read(body));
  if (reply !== undefined) return reply;
  throw new Fault('UPSTREAM_PROTOCOL', { executed: 'UNKNOWN' });
}

/**
 * Checks a request against its row.
 *
 * @throws Fault `INTERNAL` on a mismatch, which is a bug of the gateway; nothing was sent.
 */
export function checkRequest<Schema extends z.ZodType>(
  schema: Schema,
  request: unknown,
  action: string,
): z.output<Schema> {
  const result = schema.safeParse(request);
  if (result.success) return result.data;
  const where = result.error.issues.map(({ path }) => path.join('.')).join(', ');
  const cause = `The request of ${action} does not fit its row at: ${where}`;
  throw Object.assign(new Fault('INTERNAL', { executed: 'NO' }), { cause });
}

function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
