import { z } from 'zod';
import { isRawJson } from '../../lib/json.ts';
import { nothing, type RestOperation } from '../client/operation.ts';
import { httpUrl, map, optionalText, plainText, type Read } from '../wire/read.ts';

/** For a reply that is not specified: accepts any body, and returns nothing. */
const unspecified: Read<null> = () => null;

/**
 * The id of the created object: `{data: {id}}` in the common envelope, or `{id}`.
 *
 * Null when the reply has none: an empty body does not fail a write.
 */
const identifier: Read<string | null> = (body) => {
  const members = map(body);
  return (optionalText(map(members?.data)?.id) || optionalText(members?.id)) ?? null;
};

/** `""` or null on the wire without an image. */
const image: Read<string | null> = (value) =>
  value === '' || value === null ? null : httpUrl(value);

/**
 * `{data: {hostingGroupName, …}}` in the common envelope, or without it; never fails, because the write is done. A field is
 * undefined when the reply has no value of it that can be read.
 */
const hostingGroup = (body: unknown) => {
  const members = map(body);
  const group: Record<string, unknown> = { ...members, ...map(members?.data) };
  return {
    name: plainText(group.hostingGroupName),
    description: plainText(group.hostingGroupDescription),
    imageUrl: image(group.hostingGroupImage),
  };
};

export type HostingGroupReply = ReturnType<typeof hostingGroup>;

/** `.`, `..` and an empty text would change the path of a call. */
const pathSegment = z.string().regex(/^(?!\.{0,2}$)/);

/** A number that is sent exactly: `JSON.rawJSON` of its digits, or a finite number. A `Decimal` would be sent as text. */
const rawNumber = z.number().or(z.custom<unknown>(isRawJson));

const groupFields = z.object({
  hostingGroupName: z.string().optional(),
  hostingGroupDescription: z.string().optional(),
  hostingGroupImage: z.string().optional(),
});

/** The Account API, one row per call (specification, "Account API operations"), which specifies no replies. */
export const accountApi = {
  logout: {
    method: 'POST',
    path: '/auth/logout',
    effect: 'write',
    request: nothing,
    reply: unspecified,
  },
  createCart: {
    method: 'POST',
    path: '/carts',
    effect: 'write',
    request: z.object({
      cartDetails: z.array(
        z.object({
          description: z.string(),
          quantity: rawNumber,
          price: rawNumber,
          total: rawNumber,
          productType: z.string(),
        }),
      ),
    }),
    reply: identifier,
  },
  updateHostingGroup: {
    method: 'PATCH',
    path: '/hosting/group/{id}',
    hasObject: true,
    effect: 'write',
    request: groupFields.extend({ id: pathSegment }),
    reply: hostingGroup,
  },
  deleteHostingGroup: {
    method: 'DELETE',
    path: '/hosting/group',
    hasObject: true,
    effect: 'write',
    request: nothing,
    reply: identifier,
  },
  deleteLogs: {
    method: 'DELETE',
    path: '/logs',
    effect: 'write',
    request: nothing,
    reply: unspecified,
  },
} satisfies Readonly<Record<string, RestOperation>>;
