import { costsOneWrite } from '../../schema/cost.ts';
import { nullableFields } from '../../schema/member-fields.ts';
import { confirmation, mutation, type PayloadFieldBuilder } from '../mutation/schema.ts';

mutation('deleteLogs', {
  needs: 'account:danger',
  description:
    'Deletes logs, possibly all logs that the token can read: the registrar does not document which. The deletion cannot be undone. Sends one `DELETE /logs`, and never a second.',
  extensions: costsOneWrite,
  input: confirmation,
  result: 'Result of a deletion.',
  payload: (t: PayloadFieldBuilder<{ deleted: boolean }>) =>
    nullableFields(t, 'Boolean', {
      deleted: 'True when the registrar confirmed the deletion; null otherwise.',
    }),
  resolve: (input, { services }) => services.session.deleteLogs(input),
});

mutation('logout', {
  needs: 'account:danger',
  description:
    "Ends the session of the caller's Account API token. Sends one `POST /auth/logout`, and never a second.",
  extensions: costsOneWrite,
  result: 'Result of a logout.',
  payload: (t: PayloadFieldBuilder<{ loggedOut: boolean }>) =>
    nullableFields(t, 'Boolean', {
      loggedOut: 'True when the registrar confirmed the logout; null otherwise.',
    }),
  resolve: (_input, { services }) => services.session.logout(),
});
