import type { Surroundings } from '../pages/surroundings.ts';
import { bulkCheck, contacts, detailPage, portfolio, prices, search } from './example-reads.ts';
import { errors, lostAnswer, nameServers, register, transfer } from './example-writes.ts';

/** The tabs that a first visit opens with. Of a live account none changes anything, or names a domain of the sandbox. */
export const exampleTabs = (surroundings: Surroundings): readonly { readonly query: string }[] =>
  (surroundings === 'sandbox' ? inSandbox : inAnyAccount).map((query) => ({ query }));

const inAnyAccount = [search, bulkCheck, prices, portfolio];

const inSandbox = [
  search,
  bulkCheck,
  prices,
  detailPage,
  register,
  lostAnswer,
  transfer,
  nameServers,
  contacts,
  portfolio,
  errors,
];
