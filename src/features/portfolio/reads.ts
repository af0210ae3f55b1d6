import type { DomainName } from '../../kernel/domain-name.ts';
import type { CustomerView } from '../../scope/customer-view.ts';
import type { CallOptions } from '../../upstream/client/operation.ts';
import type { DomainLists } from '../../modules/domain/lists.ts';
import { nextStepOf, type Portfolio } from './portfolio.ts';
import type { Snapshot } from './snapshot.ts';

export type PortfolioReads = DomainLists<Portfolio>;

type Lists = Pick<Snapshot, 'read' | 'readRefreshed'>;

/** The lists of the domains of the customer. */
export function restrictedTo(view: Pick<CustomerView, 'readNames'>, lists: Lists): Lists {
  const ofCustomer =
    (read: (options: CallOptions) => Promise<Portfolio>) => async (options: CallOptions) => {
      const [portfolio, names] = await Promise.all([read(options), view.readNames()]);
      return portfolioOf(portfolio, names);
    };
  return { read: ofCustomer(lists.read), readRefreshed: ofCustomer(lists.readRefreshed) };
}

/** Every count is one of the domains with these names. */
function portfolioOf(portfolio: Portfolio, own: ReadonlySet<DomainName>): Portfolio {
  const index = portfolio.index.restrictedTo(own);
  const complete = portfolio.complete || index.size === own.size;
  const times = index.names().map((name) => portfolio.rowAsOf(name) ?? portfolio.asOf);
  // Names that the account does not have any more are in no complete list.
  const counts = { upstreamCount: index.size, knownCount: complete ? index.size : own.size };
  return {
    ...portfolio,
    ...counts,
    index,
    complete,
    nextStep: nextStepOf({ ...counts, complete }),
    oldestRowAt: times.reduce((oldest, at) => (at < oldest ? at : oldest), portfolio.asOf),
    find: (name) => (own.has(name) ? portfolio.find(name) : null),
    lastRead: (name) => index.find(name),
    rowAsOf: (name) => (own.has(name) ? portfolio.rowAsOf(name) : null),
  };
}
