import { assertConfirmed, attempt } from '../mutation/checks.ts';
import { type AccountDeps, sendOnce } from '../mutation/send.ts';

/** The session and the logs of the client's account at the Account API. */
export const createSessionService = ({ api, callOptions }: AccountDeps) => ({
  deleteLogs: (input: { confirm: boolean }) =>
    attempt(async () => {
      assertConfirmed(input);
      await sendOnce(unknownDeletion, () => api.deleteLogs({}, callOptions()));
      return { deleted: true };
    }),

  logout: () =>
    attempt(async () => {
      await sendOnce(unknownLogout, () => api.logout({}, callOptions()));
      return { loggedOut: true };
    }),
});

const unknownDeletion = {
  message:
    'Whether the logs were deleted is unknown, and the Account API cannot read them. Check the logs in your account before you send it again: a second call deletes the lines written since.',
  retryable: false,
};

const unknownLogout = {
  message:
    'Whether the session ended is unknown. Send it again: the session has ended when the token is refused as UNAUTHENTICATED.',
  retryable: true,
};
