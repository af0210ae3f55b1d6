import { Fault } from '../../kernel/faults.ts';
import type { Leaf } from '../../kernel/leaf.ts';
import type { HostingGroupReply } from '../../upstream/account-api/shapes.ts';
import type { AccountDeps } from '../cart/service.ts';
import { attempt, createChecks } from '../problems.ts';
import { sendOnce, sendRepeatable, type WriteTime } from '../send.ts';

/** A hosting group as the reply to a change describes it: no other call reads one. */
export interface HostingGroup {
  /** The upstream's own id. */
  readonly key: string;
  readonly name: Leaf<string | null>;
  readonly description: Leaf<string | null>;
  readonly imageUrl: Leaf<string | null>;
}

export interface UpdateHostingGroup {
  /** Null for an id that is of no hosting group. */
  readonly key: string | null;
  readonly name?: string | null | undefined;
  readonly description?: string | null | undefined;
  /** Null removes the image. */
  readonly imageUrl?: string | null | undefined;
}

export const createHostingService = ({ api, asCaller, ...time }: AccountDeps & WriteTime) => ({
  update: (input: UpdateHostingGroup) =>
    attempt(async () => {
      const { key, changes } = checkUpdate(input);
      const reply = await sendRepeatable<HostingGroupReply>(time, {
        send: (limit) =>
          api.updateHostingGroup({ id: key, ...changes }, { ...asCaller(), ...limit }),
        // No call shows a group.
        look: async () => null,
        unclear: () =>
          'Whether the hosting group was changed is not known, and the service has no call that shows one. Send it again, which does no harm.',
      });
      const hostingGroup: HostingGroup = {
        key,
        name: known(reply.name, input.name ?? undefined, 'name'),
        description: known(reply.description, input.description ?? undefined, 'description'),
        imageUrl: known(reply.imageUrl, input.imageUrl, 'image'),
      };
      return { hostingGroup };
    }),

  delete: (input: { confirm: boolean }) =>
    attempt(async () => {
      confirmed(input);
      // The call names no group, so a second one may remove another.
      const deletedKey = await sendOnce(unclearDeletion, () =>
        api.deleteHostingGroup({}, asCaller()),
      );
      return { deleted: true, deletedKey };
    }),
});

/** As returned, else as sent; a fault where the reply leaves it out, since null would say that it is empty. */
function known(
  returned: Leaf<string | null> | undefined,
  sent: string | null | undefined,
  member: string,
): Leaf<string | null> {
  if (returned !== undefined) return returned;
  if (sent !== undefined) return sent;
  return new Fault('UPSTREAM_PROTOCOL', {
    message: `The registrar changed the hosting group but did not return its ${member}.`,
    executed: 'YES',
  });
}

const unclearDeletion = {
  told: 'Whether a hosting group was deleted is not known, and the service has no call that shows one. Check the groups in your account before you send it again, which may delete another.',
  retryable: false,
};

function checkUpdate({ key, name, description, imageUrl }: UpdateHostingGroup) {
  const changes = {
    ...(typeof name === 'string' && { hostingGroupName: name }),
    ...(typeof description === 'string' && { hostingGroupDescription: description }),
    ...(imageUrl !== undefined && { hostingGroupImage: imageUrl ?? '' }),
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
