import { z } from 'zod';

/** Where the specification shows no reply: accepts anything, an empty body too, and yields nothing. */
export const unspecified = z.unknown().transform(() => null);

/**
 * The id of what was made, should the reply hold one: `{data: {id}}` in the common envelope, or `{id}`.
 *
 * Null when it does not; a success never fails because its body is empty.
 */
export const identifier = z.unknown().transform((body): string | null => {
  const id = z.union([z.string().min(1), z.number().transform(String)]);
  const enveloped = z.object({ data: z.object({ id }) }).safeParse(body);
  if (enveloped.success) return enveloped.data.data.id;
  return z.object({ id }).safeParse(body).data?.id ?? null;
});
