import { z } from 'zod';
import { nothing, restOperation } from '../client/operation.ts';
import { rawNumber } from '../wire/read.ts';
import { hostingGroup, identifier, unspecified } from './shapes.ts';

const groupFields = z.object({
  hostingGroupName: z.string().optional(),
  hostingGroupDescription: z.string().optional(),
  hostingGroupImage: z.string().optional(),
});

/** The Account API, one row per call (specification, "Account API operations"), which specifies no replies. */
export const accountApi = {
  logout: restOperation({
    method: 'POST',
    path: '/auth/logout',
    sendsBody: false,
    effect: 'write',
    request: nothing,
    reply: unspecified,
  }),
  createCart: restOperation({
    method: 'POST',
    path: '/carts',
    sendsBody: true,
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
    reply: identifier,
  }),
  updateHostingGroup: restOperation({
    method: 'PATCH',
    path: '/hosting/group/{id}',
    sendsBody: true,
    effect: 'write',
    request: groupFields.extend({ id: z.string() }),
    reply: hostingGroup,
  }),
  deleteHostingGroup: restOperation({
    method: 'DELETE',
    path: '/hosting/group',
    sendsBody: false,
    effect: 'write',
    request: nothing,
    reply: identifier,
  }),
  deleteLogs: restOperation({
    method: 'DELETE',
    path: '/logs',
    sendsBody: false,
    effect: 'write',
    request: nothing,
    reply: unspecified,
  }),
};
