import { Fault } from '../../kernel/faults.ts';
import type { AccountDeps } from '../cart/service.ts';
import { attempt } from '../problems.ts';

/** A hosting group as far as it is known: the service takes changes to one but never shows it. */
export interface HostingGroup {
  /** The service's own id. */
  readonly key: string;
  readonly name: string | null;
  readonly description: string | null;
  readonly imageUrl: string | null;
}

export interface UpdateHostingGroup {
  readonly key: string;
  readonly name?: string | null | undefined;
  readonly description?: string | null | undefined;
  readonly imageUrl?: string | null | undefined;
}

export const createHostingService = ({ api, asCaller }: AccountDeps) => ({
  update: ({ key, name, description, imageUrl }: UpdateHostingGroup) =>
    attempt(async () => {
      const changes = {
        ...(typeof name === 'string' && { hostingGroupName: name }),
        ...(typeof description === 'string' && { hostingGroupDescription: description }),
        ...(typeof imageUrl === 'string' && { hostingGroupImage: imageUrl }),
      };
      if (Object.keys(changes).length === 0) {
        throw new Fault('INVALID_INPUT', {
          message: 'Nothing to change: pass "name", "description" or "imageUrl".',
          path: ['input'],
        });
      }
      if (typeof name === 'string' && name.trim() === '') {
        throw new Fault('INVALID_INPUT', {
          message: 'A hosting group needs a name that is not blank.',
          path: ['input', 'name'],
        });
      }
      await api.updateHostingGroup({ id: key, ...changes }, asCaller());
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
      await api.deleteHostingGroup({}, asCaller());
      return { deleted: true };
    }),
});

/** @throws Fault `CONFIRMATION_REQUIRED` unless the caller said that it is meant. */
export function confirmed({ confirm }: { confirm: boolean }): void {
  if (!confirm) throw new Fault('CONFIRMATION_REQUIRED', { path: ['input', 'confirm'] });
}
