import type { FieldResult } from '../../kernel/field-result.ts';
import { field, httpUrl, map, optional, optionalText, plainText, type Read } from '../wire/read.ts';

/** For a reply that is not specified: accepts any body, and returns nothing. */
export const unspecified: Read<null> = () => null;

/**
 * The id of the created object: `{data: {id}}` in the common envelope, or `{id}`.
 *
 * Null when the reply has none: an empty body does not fail a write.
 */
export const identifier: Read<string | null> = (body) => {
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
export const hostingGroup: Read<HostingGroupReply> = (body) => {
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
