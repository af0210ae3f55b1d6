import type { z } from 'zod';
import { Fault } from '../kernel/faults.ts';
import type { Read } from './wire.ts';

/**
 * Ends the wire: the decoded reply in our spelling.
 *
 * @throws Fault `UPSTREAM_PROTOCOL` when the body is not what the row describes. What does not fit is not shown.
 */
export function decodeReply<Reply>(read: Read<Reply>, body: unknown): Reply {
  // A body nested too deeply makes a decoder throw instead of saying no.
  const reply = attempt(() => read(body));
  if (reply !== undefined) return reply;
  throw new Fault('UPSTREAM_PROTOCOL', { executed: 'UNKNOWN' });
}

/**
 * What we send, checked against the row.
 *
 * @throws Fault `INTERNAL` on a mismatch, which is a bug of ours; nothing was sent.
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
