import { builder, needs } from '../../schema/builder.ts';
import { costsOneWrite } from '../../schema/cost.ts';
import { type Answer, payloadRef } from '../../schema/payload.ts';

const DeleteLogsInputRef = builder.inputType('DeleteLogsInput', {
  description: 'That it is meant.',
  fields: (t) => ({
    confirm: t.boolean({ required: true, description: 'Must be true.' }),
  }),
});

const DeleteLogsPayloadRef = payloadRef<Answer & { deleted?: boolean }>(
  'DeleteLogsPayload',
  'What became of a deletion.',
  (t) => ({
    deleted: t.boolean({
      description: 'True when the service said so; null otherwise.',
      resolve: ({ deleted }) => deleted ?? null,
    }),
  }),
);

const LogoutPayloadRef = payloadRef<Answer & { loggedOut?: boolean }>(
  'LogoutPayload',
  'What became of a logout.',
  (t) => ({
    loggedOut: t.boolean({
      description: 'True when the service said so; null otherwise.',
      resolve: ({ loggedOut }) => loggedOut ?? null,
    }),
  }),
);

builder.mutationFields((t) => ({
  deleteLogs: t.field({
    ...needs('account:danger'),
    type: DeleteLogsPayloadRef,
    nullable: false,
    description:
      "Deletes logs. The specification does not tell which ones: count on all that the token may see. It can't be undone. Sends one `DELETE /logs`, and never a second.",
    args: {
      input: t.arg({ type: DeleteLogsInputRef, required: true, description: 'That it is meant.' }),
    },
    extensions: costsOneWrite,
    resolve: (_root, { input }, { services }) => services.session.deleteLogs(input),
  }),
  logout: t.field({
    ...needs('account:danger'),
    type: LogoutPayloadRef,
    nullable: false,
    description:
      "Ends the session of the caller's Account API token. Sends one `POST /auth/logout`, and never a second.",
    extensions: costsOneWrite,
    resolve: (_root, _args, { services }) => services.session.logout(),
  }),
}));
