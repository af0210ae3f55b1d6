import { builder } from '../../schema/builder.ts';
import { costsOneWrite, noEntities } from '../../schema/cost.ts';
import { globalId, readGlobalId } from '../../schema/global-id.ts';
import { optionalInputs } from '../../schema/input-fields.ts';
import { knownBy } from '../../schema/marks.ts';
import { nullableFields } from '../../schema/member-fields.ts';
import { NodeRef, nodeId, registerNode } from '../../schema/node.ts';
import { confirmation, mutation, type PayloadFieldBuilder } from '../mutation/schema.ts';
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
    ...nullableFields(t, 'URL', {
      imageUrl:
        'Address of the image of the group; null without an image. Null with an error when the registrar did not return it.',
    }),
  }),
});

// No call reads a group, so the gateway can't know whether one exists.
registerNode('HostingGroup', {
  needed: ['account:write'],
  load: async () => null,
  cost: () => noEntities,
});

/** The group's own id behind an id of either kind; null for the id of something else. */
const keyOf = (id: string): string | null => {
  const global = readGlobalId(id);
  if (!global) return id;
  return global.typename === 'HostingGroup' ? global.key : null;
};

mutation('updateHostingGroup', {
  needs: 'account:write',
  description:
    "Changes a hosting group with the caller's own Account API token. Sends one `PATCH /hosting/group/{id}`, and one more when the reply is lost or the first was not sent.",
  extensions: costsOneWrite,
  input: {
    argument: 'The group and its new values.',
    description: 'The fields of a hosting group to change. Fields that are absent do not change.',
    fields: (t) => ({
      id: t.id({
        required: true,
        description: "The registrar's id of the group, or the `id` of a `HostingGroup`.",
      }),
      ...optionalInputs(t, 'String', {
        name: 'New name, not blank. Null changes nothing.',
        description: 'New description. `""` removes it; null changes nothing.',
      }),
      ...optionalInputs(t, 'URL', {
        imageUrl: 'New address of the image. Null removes the image; when absent, nothing changes.',
      }),
    }),
  },
  result: 'Result of a change of a hosting group.',
  payload: (t: PayloadFieldBuilder<{ hostingGroup: HostingGroup }>) =>
    nullableFields(t, HostingGroupRef, {
      hostingGroup: 'The group; null when the change failed or its outcome is unknown.',
    }),
  resolve: ({ id, ...changes }, { services }) =>
    services.hosting.update({ key: keyOf(id), ...changes }),
});

mutation('deleteHostingGroup', {
  needs: 'account:danger',
  description:
    'Deletes a hosting group. The call names no group: the registrar decides which group is deleted, and `deletedId` reports it. The deletion cannot be undone. Sends one `DELETE /hosting/group`, and never a second.',
  extensions: costsOneWrite,
  input: confirmation,
  result: 'Result of a deletion.',
  payload: (t: PayloadFieldBuilder<{ deleted: boolean; deletedKey: string | null }>) => ({
    ...nullableFields(t, 'Boolean', {
      deleted: 'True when the registrar confirmed the deletion; null otherwise.',
    }),
    deletedId: t.id({
      description:
        'The `id` of the `HostingGroup` that was deleted; null when nothing was deleted or the reply does not name the group.',
      resolve: ({ deletedKey }) => (deletedKey ? globalId('HostingGroup', deletedKey) : null),
    }),
  }),
  resolve: (input, { services }) => services.hosting.delete(input),
});
