import { unwrap } from '../../kernel/field-result.ts';
import { inputArg } from '../../schema/arguments.ts';
import { builder, needs } from '../../schema/builder.ts';
import { costsOneWrite, noEntities } from '../../schema/cost.ts';
import { globalId, readGlobalId } from '../../schema/global-id.ts';
import { knownBy } from '../../schema/marks.ts';
import { nullableFields } from '../../schema/member-fields.ts';
import { NodeRef, nodeId, registerNode } from '../../schema/node.ts';
import { type Answer, payloadRef } from '../../schema/payload.ts';
import type { HostingGroup } from './service.ts';

const HostingGroupRef = builder.objectRef<HostingGroup>('HostingGroup').implement({
  description:
    'A group of hostings, as the reply to a change describes it. The registrar has no call that reads a group, so `node` returns null for its id.',
  extensions: knownBy('id'),
  interfaces: [NodeRef],
  fields: (t) => ({
    id: nodeId(t, 'HostingGroup', ({ key }: HostingGroup) => key),
    ...nullableFields(t, 'String', {
      name: 'Name of the group. Null with an error when the registrar did not return it.',
      description:
        'Description of the group. Null with an error when the registrar did not return it.',
    }),
    imageUrl: t.field({
      type: 'URL',
      nullable: true,
      description:
        'Address of the image of the group; null without an image. Null with an error when the registrar did not return it.',
      resolve: ({ imageUrl }) => unwrap(imageUrl),
    }),
  }),
});

// No call reads a group, so the gateway can't know whether one exists.
registerNode('HostingGroup', {
  needed: ['account:write'],
  load: async () => null,
  cost: () => noEntities,
});

const UpdateHostingGroupInputRef = builder.inputType('UpdateHostingGroupInput', {
  description: 'The fields of a hosting group to change. Fields that are absent do not change.',
  fields: (t) => ({
    id: t.id({
      required: true,
      description: "The registrar's id of the group, or the `id` of a `HostingGroup`.",
    }),
    name: t.string({ description: 'New name, not blank. Null changes nothing.' }),
    description: t.string({
      description: 'New description. `""` removes it; null changes nothing.',
    }),
    imageUrl: t.field({
      type: 'URL',
      description:
        'New address of the image. Null removes the image; when absent, nothing changes.',
    }),
  }),
});

const UpdateHostingGroupPayloadRef = payloadRef<Answer & { hostingGroup?: HostingGroup }>(
  'UpdateHostingGroupPayload',
  'Result of a change of a hosting group.',
  (t) => ({
    ...nullableFields(t, HostingGroupRef, {
      hostingGroup: 'The group; null when the change failed or its outcome is unknown.',
    }),
  }),
);

const DeleteHostingGroupInputRef = builder.inputType('DeleteHostingGroupInput', {
  description: 'Confirms that you want this deletion.',
  fields: (t) => ({
    confirm: t.boolean({ required: true, description: 'Must be true.' }),
  }),
});

const DeleteHostingGroupPayloadRef = payloadRef<
  Answer & { deleted?: boolean; deletedKey?: string | null }
>('DeleteHostingGroupPayload', 'Result of a deletion.', (t) => ({
  ...nullableFields(t, 'Boolean', {
    deleted: 'True when the registrar confirmed the deletion; null otherwise.',
  }),
  deletedId: t.id({
    description:
      'The `id` of the `HostingGroup` that was deleted; null when nothing was deleted or the reply does not name the group.',
    resolve: ({ deletedKey }) => (deletedKey ? globalId('HostingGroup', deletedKey) : null),
  }),
}));

/** The group's own id behind an id of either kind; null for the id of something else. */
const keyOf = (id: string): string | null => {
  const global = readGlobalId(id);
  if (!global) return id;
  return global.typename === 'HostingGroup' ? global.key : null;
};

builder.mutationFields((t) => ({
  updateHostingGroup: t.field({
    ...needs('account:write'),
    type: UpdateHostingGroupPayloadRef,
    nullable: false,
    description:
      "Changes a hosting group with the caller's own Account API token. Sends one `PATCH /hosting/group/{id}`, and one more when the reply is lost or the first was not sent.",
    args: inputArg(t, UpdateHostingGroupInputRef, 'The group and its new values.'),
    extensions: costsOneWrite,
    resolve: (_root, { input: { id, ...changes } }, { services }) =>
      services.hosting.update({ key: keyOf(id), ...changes }),
  }),
  deleteHostingGroup: t.field({
    ...needs('account:danger'),
    type: DeleteHostingGroupPayloadRef,
    nullable: false,
    description:
      'Deletes a hosting group. The call names no group: the registrar decides which group is deleted, and `deletedId` reports it. The deletion cannot be undone. Sends one `DELETE /hosting/group`, and never a second.',
    args: inputArg(t, DeleteHostingGroupInputRef, 'Confirms that you want this deletion.'),
    extensions: costsOneWrite,
    resolve: (_root, { input }, { services }) => services.hosting.delete(input),
  }),
}));
