import { z } from 'zod';
import type { Reply } from '../http.ts';
import type { Service } from '../service.ts';

export type AccountBody = Readonly<Record<string, unknown>>;

/** What a call works with besides its path. */
interface Context {
  readonly service: Service;
  /** The username of the reseller whose token it is. */
  readonly user: string;
  readonly token: string;
  /** The `{id}` of the path. */
  readonly id: string;
  readonly body: AccountBody;
}

interface AccountCall {
  readonly action: string;
  readonly method: string;
  readonly path: RegExp;
  /** A status of 400 or more has its sentence as body; a body that is absent is sent as nothing. */
  readonly run: (context: Context) => Reply;
}

const cart = z.object({
  cartDetails: z
    .array(
      z.object({
        description: z.string(),
        quantity: z.number(),
        price: z.number(),
        total: z.number(),
        productType: z.string(),
      }),
    )
    .min(1),
});

const group = z.object({
  hostingGroupName: z.string().min(1).optional(),
  hostingGroupDescription: z.string().optional(),
  hostingGroupImage: z.union([z.literal(''), z.url()]).optional(),
});

const refuse = (status: number, body: string): Reply => ({ status, body });

/** The five calls of the specification. Where it shows no reply, the common envelope is used, or nothing at all. */
export const calls: readonly AccountCall[] = [
  {
    action: 'POST /auth/logout',
    method: 'POST',
    path: /^\/auth\/logout$/,
    run({ service, user, token }) {
      service.store.hosting.endToken(token);
      service.store.hosting.log(user, service.clock.nowMs(), 'logout');
      return { status: 201, body: {} };
    },
  },
  {
    action: 'POST /carts',
    method: 'POST',
    path: /^\/carts$/,
    run({ service, user, body }) {
      const parsed = cart.safeParse(body);
      if (!parsed.success) {
        const isEmpty = Array.isArray(body.cartDetails) && body.cartDetails.length === 0;
        const rule = isEmpty
          ? 'cartDetails should not be empty'
          : 'cartDetails must be an array of cart items';
        return refuse(400, rule);
      }
      const id = `cart_${service.randomness.uuid().replaceAll('-', '').slice(0, 20)}`;
      const items = parsed.data.cartDetails;
      const total = items.reduce((sum, item) => sum + item.total, 0);
      service.store.hosting.addCart(id, user, items, total, service.clock.nowMs());
      service.store.hosting.log(user, service.clock.nowMs(), `cart ${id}`);
      return { status: 201, body: { id } };
    },
  },
  {
    action: 'PATCH /hosting/group/{id}',
    method: 'PATCH',
    path: /^\/hosting\/group\/([^/]+)$/,
    run({ service, user, id, body }) {
      const found = service.store.hosting.group(user, id);
      if (!found) return refuse(404, 'Hosting group not found');
      const parsed = group.safeParse(body);
      if (!parsed.success) return refuse(400, 'The hosting group is not valid');
      const changes = Object.fromEntries(
        Object.entries(parsed.data).filter(([, value]) => value !== undefined),
      );
      const changed = { ...found, ...changes, updatedAtMs: service.clock.nowMs() };
      service.store.hosting.saveGroup(changed);
      const { user: _, updatedAtMs: __, ...shown } = changed;
      return { status: 200, body: shown };
    },
  },
  {
    // The specification names no group. This sandbox removes the caller's most recently updated one.
    action: 'DELETE /hosting/group',
    method: 'DELETE',
    path: /^\/hosting\/group$/,
    run({ service, user }) {
      const latest = service.store.hosting.latestGroup(user);
      if (!latest) return refuse(404, 'Hosting group not found');
      service.store.hosting.removeGroup(latest.id);
      return { status: 200, body: { id: latest.id } };
    },
  },
  {
    // The specification names no scope. This sandbox removes all logs of the caller, and answers with nothing.
    action: 'DELETE /logs',
    method: 'DELETE',
    path: /^\/logs$/,
    run({ service, user }) {
      service.store.hosting.clearLogs(user);
      return { status: 200 };
    },
  },
];
