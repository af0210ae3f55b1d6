import { z } from 'zod';
import type { FieldResult } from '../../kernel/field-result.ts';
import { isRawJson } from '../../lib/raw-json.ts';
import { nothing, type RestOperation } from '../client/operation.ts';
import { field, httpUrl, map, optional, optionalText, plainText, type Read } from '../wire/read.ts';

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

/** The fields of a hosting group in a reply; undefined for a member that the reply lacks. */
export interface HostingGroupReply {
  readonly name: FieldResult<string | null> | undefined;
  readonly description: FieldResult<string | null> | undefined;
  /** Null without an image, which is `""` on the wire. */
  readonly imageUrl: FieldResult<string | null> | undefined;
}

const groupName = field('the name of the hosting group', optional(plainText));
const groupDescription = field('the description of the hosting group', optional(plainText));
const groupImage = field('the image of the hosting group', optional(httpUrl));

/** `{data: {hostingGroupName, …}}` in the common envelope, or without it; never fails. */
const hostingGroup: Read<HostingGroupReply> = (body) => {
  const members = map(body);
  const group = { ...members, ...map(members?.data) };
  const image = group.hostingGroupImage;
  return {
    name: 'hostingGroupName' in group ? groupName(group.hostingGroupName) : undefined,
    description:
      'hostingGroupDescription' in group
        ? groupDescription(group.hostingGroupDescription)
        : undefined,
    imageUrl: 'hostingGroupImage' in group ? groupImage(image === '' ? null : image) : undefined,
  };
};

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
    effect: 'write',
    request: groupFields.extend({ id: pathSegment }),
    reply: hostingGroup,
  },
  deleteHostingGroup: {
    method: 'DELETE',
    path: '/hosting/group',
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
