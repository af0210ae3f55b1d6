import { Client, fetchExchange } from 'urql';

/**
 * The gateway, at the address of this page.
 *
 * Nothing is kept here: the gateway keeps answers and knows which of them a purchase makes untrue.
 */
export const client = new Client({
  url: '/graphql',
  exchanges: [fetchExchange],
  fetchSubscriptions: true,
  preferGetMethod: false,
});
