import { Client, fetchExchange } from 'urql';

/**
 * The gateway, at the address of this page.
 *
 * It has no cache: the gateway caches responses and invalidates them after a purchase.
 */
export const client = new Client({
  url: '/graphql',
  exchanges: [fetchExchange],
  fetchSubscriptions: true,
  preferGetMethod: false,
});
