import { Fault } from '../../kernel/faults.ts';
import type { AccountDeps } from '../cart/service.ts';
import { attempt, createChecks } from '../problems.ts';
import { sendOnce, sendRepeatable, type WriteTime } from '../send.ts';

/** A hosting group as far as it is known: the service takes changes to one but never shows it. */
export interface HostingGroup {
  /** The service's own id. */
  readonly key: string;
  readonly name: string | null;
  readonly description: string | null;
  readonly imageUrl: string | null;
}

export interface UpdateHostingGroup {
  /** Null for an id that is of no hosting group. */
  readonly key: string | null;
  readonly name?: string | null | undefined;
  readonly description?: string | null | undefined;
  readonly imageUrl?: string | null | undefined;
}

export const createHostingService = ({ api, asCaller, ...time }: AccountDeps & WriteTime) => ({
  update: (input: UpdateHostingGroup) =>
    attempt(async () => {
      const { key, changes } = checkUpdate(input);
      await sendRepeatable(time, {
        send: (limit) =>
          api.updateHostingGroup({ id: key, ...changes }, { ...asCaller(), ...limit }),
        // No call shows a group.
        look: async () => null,
        unclear: () =>
          'Whether the hosting group was changed is not known, and the service has no call that shows one. Send it again, which does no harm.',
      });
      const { name, description, imageUrl } = input;
      const hostingGroup: HostingGroup = {
        key,
        name: name ?? null,
        description: description ?? null,
        imageUrl: imageUrl ?? null,
      };
      return { hostingGroup };
    }),

  delete: (input: { confirm: boolean }) =>
    attempt(async () => {
      confirmed(input);
      // The call names no group, so a second one may remove another.
      await sendOnce(unclearDeletion, () => api.deleteHostingGroup({}, asCaller()));
      return { deleted: true };
    }),
});

const unclearDeletion = {
  told: 'Whether a hosting group was deleted is not known, and the service has no call that shows one. Check the groups in your account before you send it again, which may delete another.',
  retryable: false,
};

function checkUpdate({ key, name, description, imageUrl }: UpdateHostingGroup) {
  const changes = {
    ...(typeof name === 'string' && { hostingGroupName: name }),
    ...(typeof description === 'string' && { hostingGroupDescription: description }),
    ...(typeof imageUrl === 'string' && { hostingGroupImage: imageUrl }),
  };
  const checks = createChecks();
  checks.check(['input', 'id'], () => {
    // `.` and `..` in a path name another path.
    if (key === null || ['', '.', '..'].includes(key.trim())) {
      throw invalid('"id" must be the id of a hosting group.');
    }
  });
  checks.check(['input'], () => {
    if (Object.keys(changes).length === 0) {
      throw invalid('Nothing to change: pass "name", "description" or "imageUrl".');
    }
  });
  checks.check(['input', 'name'], () => {
    if (name?.trim() === '') throw invalid('A hosting group needs a name that is not blank.');
  });
  checks.finish();
  return { key: key ?? '', changes };
}

const invalid = (message: string) => new Fault('INVALID_INPUT', { message });

/** @throws Fault `CONFIRMATION_REQUIRED` unless the caller said that it is meant. */
export function confirmed({ confirm }: { confirm: boolean }): void {
  if (!confirm) throw new Fault('CONFIRMATION_REQUIRED', { path: ['input', 'confirm'] });
}
