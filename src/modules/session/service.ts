import type { AccountDeps } from '../cart/service.ts';
import { confirmed } from '../hosting/service.ts';
import { attempt } from '../problems.ts';
import { sendOnce } from '../send.ts';

/** The caller's own session at the Account API, and its logs. */
export const createSessionService = ({ api, asCaller }: AccountDeps) => ({
  deleteLogs: (input: { confirm: boolean }) =>
    attempt(async () => {
      confirmed(input);
      await sendOnce(unclearDeletion, () => api.deleteLogs({}, asCaller()));
      return { deleted: true };
    }),

  logout: () =>
    attempt(async () => {
      await sendOnce(unclearLogout, () => api.logout({}, asCaller()));
      return { loggedOut: true };
    }),
});

const unclearDeletion = {
  told: 'Whether the logs were deleted is not known, and the service has no call that shows them. Check the logs in your account before you send it again, which deletes what was written since.',
  retryable: false,
};

const unclearLogout = {
  told: 'Whether the session was ended is not known. Send it again: it is over when the token is refused as UNAUTHENTICATED.',
  retryable: true,
};
