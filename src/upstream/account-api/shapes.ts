import { map, optionalText, type Read } from '../wire.ts';

/** Where the specification shows no reply: accepts anything, an empty body too, and yields nothing. */
export const unspecified: Read<null> = () => null;

/**
 * The id of what was made, should the reply hold one: `{data: {id}}` in the common envelope, or `{id}`.
 *
 * Null when it does not; a success never fails because its body is empty.
 */
export const identifier: Read<string | null> = (body) => {
  const members = map(body);
  return (optionalText(map(members?.data)?.id) || optionalText(members?.id)) ?? null;
};
