import { Fault, invalidInput } from '../../kernel/faults.ts';
import { Decimal } from '../../kernel/money.ts';
import { rawJson } from '../../lib/json.ts';
import { perRequest } from '../../scope/scope.ts';
import type { AccountCallOptions } from '../../upstream/account-api/client.ts';
import type { HostingGroupReply } from '../../upstream/account-api/operations.ts';
import { asPayload, assertConfirmed, createChecks } from '../mutation/checks.ts';
import { sendIdempotent, sendOnce, type WriteTime } from '../mutation/send.ts';

interface CartItemInput {
  readonly description: string;
  readonly quantity: Decimal;
  readonly unitPrice: Decimal;
  readonly total?: Decimal | null | undefined;
  readonly productType: string;
}

export interface CartItem extends CartItemInput {
  readonly total: Decimal;
}

export interface Cart {
  /** The id at the registrar; null when the reply has none. */
  readonly id: string | null;
  readonly items: readonly CartItem[];
  readonly total: Decimal;
}

/** A hosting group after a change. No call reads one. */
export interface HostingGroup {
  readonly id: string;
  readonly name: string | null;
  readonly description: string | null;
  readonly imageUrl: string | null;
}

interface UpdateHostingGroup {
  readonly id: string;
  readonly name?: string | null | undefined;
  readonly description?: string | null | undefined;
  /** Null removes the image. */
  readonly imageUrl?: string | null | undefined;
}

/** Writes of the Account API. It has no reads, so the outcome of a write without a reply cannot be verified. */
export const accountApi = perRequest('accountApi', ({ tenant, facts, writeOptions }) => {
  const { accountApi: api, clock, writeDeadlineMs } = tenant;
  const time: WriteTime = { clock, writeDeadlineMs, budget: writeOptions.budget };
  /** With the client's own token. @throws Fault `UNAUTHENTICATED` without one. */
  const callOptions = (): AccountCallOptions => {
    if (facts.accountToken) return { ...writeOptions, token: facts.accountToken };
    throw new Fault('UNAUTHENTICATED', {
      message:
        'The Account API needs your own token: send it as "Authorization: Bearer <token>" or as "x-account-token".',
    });
  };
  return {
    /** Sent once, because no upstream call shows whether a cart exists. */
    sendCart: (input: { items: readonly CartItemInput[] }) =>
      asPayload(async (): Promise<{ cart: Cart }> => {
        const items = checkItems(input.items);
        const cartDetails = items.map(({ unitPrice, ...item }) => ({
          description: item.description,
          quantity: rawNumber(item.quantity),
          price: rawNumber(unitPrice),
          total: rawNumber(item.total),
          productType: item.productType,
        }));
        const id = await sendOnce(unknownCart, () =>
          api.createCart({ cartDetails }, callOptions()),
        );
        const total = items.reduce((sum, item) => sum.plus(item.total), Decimal.zero);
        return { cart: { id, items, total } };
      }),

    updateHostingGroup: (input: UpdateHostingGroup) =>
      asPayload(async () => {
        const request = checkUpdate(input);
        const reply = await sendIdempotent<HostingGroupReply>(time, {
          send: (limit) => api.updateHostingGroup(request, { ...callOptions(), ...limit }),
          // No call returns a group.
          verify: null,
          unknownMessage: () =>
            'Whether the hosting group was changed is unknown, and the Account API cannot read groups. Send it again: repeating this change is safe.',
        });
        const { id } = request;
        const hostingGroup: HostingGroup = {
          id,
          name: returnedOr(reply.name, input.name),
          description: returnedOr(reply.description, input.description),
          imageUrl: returnedOr(reply.imageUrl, input.imageUrl),
        };
        return { updated: true, hostingGroup };
      }),

    deleteHostingGroup: (input: { confirm: boolean }) =>
      asPayload(async () => {
        assertConfirmed(input);
        // The call has no group id, so a second call may delete another group.
        const deletedId = await sendOnce(unknownGroupDeletion, () =>
          api.deleteHostingGroup({}, callOptions()),
        );
        return { deleted: true, deletedId };
      }),

    deleteLogs: (input: { confirm: boolean }) =>
      asPayload(async () => {
        assertConfirmed(input);
        await sendOnce(unknownLogDeletion, () => api.deleteLogs({}, callOptions()));
        return { deleted: true };
      }),

    logout: () =>
      asPayload(async () => {
        await sendOnce(unknownLogout, () => api.logout({}, callOptions()), { retryable: true });
        return { loggedOut: true };
      }),
  };
});

const unknownCart =
  'Whether the cart was created is unknown, and the Account API cannot list carts. Look for it in your account before you send it again: a second call may create a second cart.';

const unknownGroupDeletion =
  'Whether a hosting group was deleted is unknown, and the Account API cannot read groups. Check the groups in your account before you send it again: a second call may delete another group.';

const unknownLogDeletion =
  'Whether the logs were deleted is unknown, and the Account API cannot read them. Check the logs in your account before you send it again: a second call deletes the lines written since.';

const unknownLogout =
  'Whether the session ended is unknown. Send it again: the session has ended when the token is refused as UNAUTHENTICATED.';

/** A decimal as a JSON number, exact whatever its length. */
const rawNumber = (decimal: Decimal): unknown => rawJson(decimal.toString());

function checkItems(items: readonly CartItemInput[]): readonly CartItem[] {
  const checks = createChecks();
  checks.check(['input', 'items'], () => {
    if (items.length === 0) throw invalidInput('A cart needs at least one item.');
  });
  const checked = items.map((item, at) => {
    const path = ['input', 'items', String(at)];
    for (const field of ['description', 'productType'] as const) {
      checks.check([...path, field], () => {
        if (item[field].trim() === '') throw invalidInput(`"${field}" must not be empty.`);
      });
    }
    return { ...item, total: item.total ?? item.quantity.times(item.unitPrice) };
  });
  checks.finish();
  return checked;
}

/** The value of the reply, else the one that was sent; null when there is neither. */
const returnedOr = (returned: string | null | undefined, sent: string | null | undefined) =>
  returned === undefined ? (sent ?? null) : returned;

function checkUpdate({ id, name, description, imageUrl }: UpdateHostingGroup) {
  const changes = {
    ...(typeof name === 'string' && { hostingGroupName: name }),
    ...(typeof description === 'string' && { hostingGroupDescription: description }),
    ...(imageUrl !== undefined && { hostingGroupImage: imageUrl ?? '' }),
  };
  const checks = createChecks();
  checks.check(['input', 'id'], () => {
    // `.` and `..` in a path name another path.
    if (['', '.', '..'].includes(id.trim())) {
      throw invalidInput('"id" must be the id of a hosting group.');
    }
  });
  checks.check(['input'], () => {
    if (Object.keys(changes).length === 0) {
      throw invalidInput('Pass at least one of "name", "description" and "imageUrl".');
    }
  });
  checks.check(['input', 'name'], () => {
    if (name?.trim() === '') throw invalidInput('A hosting group needs a name that is not blank.');
  });
  checks.finish();
  return { id, ...changes };
}
