import { z } from 'zod';
import { read } from './action.ts';

/** The main balance stands beside the list as well. */
export const resellerDetails = read(z.object({}), (_request, { service, reseller }) => {
  const balances = service.store.money.balances(reseller.id);
  const main = balances.find(({ currency }) => currency === reseller.currency);
  return {
    result: 'OK',
    id: reseller.shownId,
    active: true,
    name: reseller.name,
    balance: main?.balance ?? '0.0000',
    currency: reseller.currency,
    symbol: main?.symbol ?? '$',
    balances,
  };
});
