import { z } from 'zod';
import { nothing, restOperation } from '../operation.ts';
import { identifier, unspecified } from './shapes.ts';

const groupFields = z.object({
  hostingGroupName: z.string().optional(),
  hostingGroupDescription: z.string().optional(),
  hostingGroupImage: z.string().optional(),
});

/** A number on the wire that stays exact: `JSON.rawJSON` of its digits. */
const rawNumber = z.unknown();

/** The Account API, one row per call (specification, "Account API operations"). No reply is shown there. */
export const accountApi = {
  logout: restOperation({
    method: 'POST',
    path: () => '/auth/logout',
    effect: 'write',
    request: nothing,
    reply: unspecified,
  }),
  createCart: restOperation({
    method: 'POST',
    path: () => '/carts',
    effect: 'write',
    request: z.object({
      cartDetails: z.array(
        z.object({
          description: z.string(),
          quantity: rawNumber,
          price: rawNumber,
          total: rawNumber,
          productType: z.string(),
        }),
      ),
    }),
    body: (request) => request,
    reply: identifier,
  }),
  updateHostingGroup: restOperation({
    method: 'PATCH',
    path: ({ id }) => `/hosting/group/${encodeURIComponent(id)}`,
    effect: 'write',
    request: groupFields.extend({ id: z.string() }),
    body: ({ id: _, ...fields }) => fields,
    reply: unspecified,
  }),
  deleteHostingGroup: restOperation({
    method: 'DELETE',
    path: () => '/hosting/group',
    effect: 'write',
    request: nothing,
    reply: unspecified,
  }),
  deleteLogs: restOperation({
    method: 'DELETE',
    path: () => '/logs',
    effect: 'write',
    request: nothing,
    reply: unspecified,
  }),
};

export type AccountApiCall = keyof typeof accountApi;
