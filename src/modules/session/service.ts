import type { AccountDeps } from '../cart/service.ts';
import { confirmed } from '../hosting/service.ts';
import { attempt } from '../problems.ts';

/** The caller's own session at the Account API, and its logs. */
export const createSessionService = ({ api, asCaller }: AccountDeps) => ({
  deleteLogs: (input: { confirm: boolean }) =>
    attempt(async () => {
      confirmed(input);
      await api.deleteLogs({}, asCaller());
      return { deleted: true };
    }),

  logout: () =>
    attempt(async () => {
      await api.logout({}, asCaller());
      return { loggedOut: true };
    }),
});
