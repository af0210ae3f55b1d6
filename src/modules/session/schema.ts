import { inputArg } from '../../schema/arguments.ts';
import { builder, needs } from '../../schema/builder.ts';
import { costsOneWrite } from '../../schema/cost.ts';
import { nullableFields } from '../../schema/member-fields.ts';
import { type Answer, payloadRef } from '../../schema/payload.ts';

const DeleteLogsInputRef = builder.inputType('DeleteLogsInput', {
  description: 'Confirms that you want this deletion.',
  fields: (t) => ({
    confirm: t.boolean({ required: true, description: 'Must be true.' }),
  }),
});

const DeleteLogsPayloadRef = payloadRef<Answer & { deleted?: boolean }>(
  'DeleteLogsPayload',
  'Result of a deletion.',
  (t) => ({
    ...nullableFields(t, 'Boolean', {
      deleted: 'True when the registrar confirmed the deletion; null otherwise.',
    }),
  }),
);

const LogoutPayloadRef = payloadRef<Answer & { loggedOut?: boolean }>(
  'LogoutPayload',
  'Result of a logout.',
  (t) => ({
    ...nullableFields(t, 'Boolean', {
      loggedOut: 'True when the registrar confirmed the logout; null otherwise.',
    }),
  }),
);

builder.mutationFields((t) => ({
  deleteLogs: t.field({
    ...needs('account:danger'),
    type: DeleteLogsPayloadRef,
    nullable: false,
    description:
      'Deletes logs, possibly all logs that the token can read: the registrar does not document which. The deletion cannot be undone. Sends one `DELETE /logs`, and never a second.',
    args: inputArg(t, DeleteLogsInputRef, 'Confirms that you want this deletion.'),
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
