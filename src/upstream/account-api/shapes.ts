import type { Leaf } from '../../kernel/leaf.ts';
import { httpUrl, leaf, map, optional, optionalText, plainText, type Read } from '../wire.ts';

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

/** A hosting group as far as a reply describes it; undefined for a member that the reply does not have. */
export interface HostingGroupReply {
  readonly name: Leaf<string | null> | undefined;
  readonly description: Leaf<string | null> | undefined;
  /** Null where the group has no image, which is `""` on the wire. */
  readonly imageUrl: Leaf<string | null> | undefined;
}

const groupName = leaf('the name of the hosting group', optional(plainText));
const groupDescription = leaf('the description of the hosting group', optional(plainText));
const groupImage = leaf('the image of the hosting group', optional(httpUrl));

/** `{data: {hostingGroupName, …}}` in the common envelope, or the members alone; never fails. */
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
