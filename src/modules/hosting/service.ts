import { Fault } from '../../kernel/faults.ts';
import type { FieldResult } from '../../kernel/field-result.ts';
import type { HostingGroupReply } from '../../upstream/account-api/operations.ts';
import { assertConfirmed, attempt, createChecks } from '../mutation/checks.ts';
import { type AccountDeps, sendIdempotent, sendOnce, type WriteTime } from '../mutation/send.ts';

/** A hosting group of the reply to a change. No other call returns one. */
export interface HostingGroup {
  /** The upstream's own id. */
  readonly key: string;
  readonly name: FieldResult<string | null>;
  readonly description: FieldResult<string | null>;
  readonly imageUrl: FieldResult<string | null>;
}

export interface UpdateHostingGroup {
  /** Null for an id of another type. */
  readonly key: string | null;
  readonly name?: string | null | undefined;
  readonly description?: string | null | undefined;
  /** Null removes the image. */
  readonly imageUrl?: string | null | undefined;
}

export const createHostingService = ({ api, callOptions, ...time }: AccountDeps & WriteTime) => ({
  update: (input: UpdateHostingGroup) =>
    attempt(async () => {
      const { key, changes } = checkUpdate(input);
      const reply = await sendIdempotent<HostingGroupReply>(time, {
        send: (limit) =>
          api.updateHostingGroup({ id: key, ...changes }, { ...callOptions(), ...limit }),
        // No call returns a group.
        verify: async () => null,
        unknownMessage: () =>
          'Whether the hosting group was changed is unknown, and the Account API cannot read groups. Send it again: repeating this change is safe.',
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
      assertConfirmed(input);
      // The call has no group id, so a second call may delete another group.
      const deletedKey = await sendOnce(unknownDeletion, () =>
        api.deleteHostingGroup({}, callOptions()),
      );
      return { deleted: true, deletedKey };
    }),
});

/** The returned value, else the sent one. A fault when neither exists, because null would mean empty. */
function known(
  returned: FieldResult<string | null> | undefined,
  sent: string | null | undefined,
  member: string,
): FieldResult<string | null> {
  if (returned !== undefined) return returned;
  if (sent !== undefined) return sent;
  return new Fault('UPSTREAM_PROTOCOL', {
    message: `The registrar changed the hosting group but did not return its ${member}.`,
    executed: 'YES',
  });
}

const unknownDeletion = {
  message:
    'Whether a hosting group was deleted is unknown, and the Account API cannot read groups. Check the groups in your account before you send it again: a second call may delete another group.',
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
      throw invalid('Pass at least one of "name", "description" and "imageUrl".');
    }
  });
  checks.check(['input', 'name'], () => {
    if (name?.trim() === '') throw invalid('A hosting group needs a name that is not blank.');
  });
  checks.finish();
  return { key: key ?? '', changes };
}

const invalid = (message: string) => new Fault('INVALID_INPUT', { message });
