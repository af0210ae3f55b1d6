import { builder, needs } from '../../schema/builder.ts';
import { costsOneWrite, nothing } from '../../schema/cost.ts';
import { readGlobalId } from '../../schema/global-id.ts';
import { knownBy } from '../../schema/marks.ts';
import { NodeRef, nodeId, registerNode } from '../../schema/node.ts';
import { type Answer, payloadRef } from '../../schema/payload.ts';
import type { HostingGroup } from './service.ts';

const HostingGroupRef = builder.objectRef<HostingGroup>('HostingGroup').implement({
  description:
    'A group of hostings. The service takes changes to a group but never shows one, so only what the same request changed is known; the rest is null.',
  extensions: knownBy('id'),
  interfaces: [NodeRef],
  fields: (t) => ({
    id: t.id({
      nullable: false,
      description: 'Opaque and stable.',
      resolve: nodeId('HostingGroup', ({ key }: HostingGroup) => key),
    }),
    name: t.exposeString('name', { description: 'Its name, as just set.' }),
    description: t.exposeString('description', { description: 'Its description, as just set.' }),
    imageUrl: t.expose('imageUrl', {
      type: 'URL',
      nullable: true,
      description: 'Address of its picture, as just set.',
    }),
  }),
});

// The service can't be asked whether a group exists, so an id is all that is known of it.
registerNode('HostingGroup', {
  needed: ['account:write'],
  load: async (_scope, key) => ({ key, name: null, description: null, imageUrl: null }),
  cost: () => nothing,
});

const UpdateHostingGroupInputRef = builder.inputType('UpdateHostingGroupInput', {
  description: 'What to change of a hosting group; what is absent stays.',
  fields: (t) => ({
    id: t.id({
      required: true,
      description: "The service's own id of the group, or the `id` of a `HostingGroup`.",
    }),
    name: t.string({ description: 'New name; not blank.' }),
    description: t.string({ description: 'New description.' }),
    imageUrl: t.field({ type: 'URL', description: 'New address of its picture.' }),
  }),
});

const UpdateHostingGroupPayloadRef = payloadRef<Answer & { hostingGroup?: HostingGroup }>(
  'UpdateHostingGroupPayload',
  'What became of a change of a hosting group.',
  (t) => ({
    hostingGroup: t.field({
      type: HostingGroupRef,
      nullable: true,
      description: 'The group; null when it is not known to have been changed.',
      resolve: ({ hostingGroup }) => hostingGroup ?? null,
    }),
  }),
);

const DeleteHostingGroupInputRef = builder.inputType('DeleteHostingGroupInput', {
  description: 'That it is meant.',
  fields: (t) => ({
    confirm: t.boolean({ required: true, description: 'Must be true.' }),
  }),
});

const DeleteHostingGroupPayloadRef = payloadRef<Answer & { deleted?: boolean }>(
  'DeleteHostingGroupPayload',
  'What became of a deletion.',
  (t) => ({
    deleted: t.boolean({
      description: 'True when the service said so; null otherwise.',
      resolve: ({ deleted }) => deleted ?? null,
    }),
  }),
);

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
      "Changes a hosting group with the caller's own Account API token. Sends one `PATCH /hosting/group/{id}`, and one more when its answer was lost or it never left.",
    args: {
      input: t.arg({
        type: UpdateHostingGroupInputRef,
        required: true,
        description: 'What to change.',
      }),
    },
    extensions: costsOneWrite,
    resolve: (_root, { input: { id, ...changes } }, { services }) =>
      services.hosting.update({ key: keyOf(id), ...changes }),
  }),
  deleteHostingGroup: t.field({
    ...needs('account:danger'),
    type: DeleteHostingGroupPayloadRef,
    nullable: false,
    description:
      "Deletes a hosting group. The call names no group, and the specification does not tell which one is removed. It can't be undone. Sends one `DELETE /hosting/group`, and never a second.",
    args: {
      input: t.arg({
        type: DeleteHostingGroupInputRef,
        required: true,
        description: 'That it is meant.',
      }),
    },
    extensions: costsOneWrite,
    resolve: (_root, { input }, { services }) => services.hosting.delete(input),
  }),
}));
