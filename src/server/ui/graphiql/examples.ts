import type { Environment } from '../environment.ts';
import { bulkCheck, contacts, detailPage, portfolio, prices, search } from './example-reads.ts';
import { errors, lostAnswer, nameServers, register, transfer } from './example-writes.ts';

/** The tabs of a first visit. For a live account they are queries only, without domains of the sandbox. */
export const exampleTabs = (environment: Environment): readonly { readonly query: string }[] =>
  (environment === 'sandbox' ? inSandbox : inAnyAccount).map((query) => ({ query }));

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
