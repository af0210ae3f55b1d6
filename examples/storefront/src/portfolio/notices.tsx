import { LinkButton } from '../shared/buttons.tsx';
import { moneyText } from '../shared/money.ts';
import { type Account, balancesOf } from './account.tsx';
import type { Domains, Portfolio } from './documents.ts';
import { type Filters, soonDays } from './filter.ts';

interface NoticesProps {
  readonly portfolio: Portfolio;
  readonly account: Account | null;
  readonly filters: Filters;
  readonly change: (filters: Filters) => void;
}

/** What needs attention. */
export function Notices({ portfolio, account, filters, change }: NoticesProps) {
  const soon = portfolio.expiringSoon?.totalCount ?? 0;
  const isShown = filters.expiry === 'soon';
  return (
    <>
      {account?.renewalsDue?.covered === false && <LowBalance account={account} />}
      {soon > 0 && (
        <p className="notice notice-unsure notice-row">
          <span>
            <strong>{soon === 1 ? '1 domain expires' : `${soon} domains expire`}</strong> within{' '}
            {soonDays} days.
          </span>
          <LinkButton
            aria-pressed={isShown}
            onClick={() => change({ ...filters, expiry: isShown ? '' : 'soon' })}
          >
            {isShown ? 'Show all domains' : 'Show only these'}
          </LinkButton>
        </p>
      )}
      {portfolio.domains?.coverage.complete === false && (
        <Incomplete coverage={portfolio.domains.coverage} />
      )}
    </>
  );
}

function LowBalance({ account }: { readonly account: Account }) {
  const due = account.renewalsDue?.totals.flatMap(({ cost }) => cost ?? []) ?? [];
  return (
    <p className="notice notice-bad">
      <strong>The balance is low.</strong> The renewals of the next {soonDays} days cost{' '}
      {due.map(moneyText).join(' and ')}; the balance is{' '}
      {balancesOf(account).map(moneyText).join(' and ')}.
    </p>
  );
}

function Incomplete({ coverage: { known, listed } }: Pick<Domains, 'coverage'>) {
  return (
    <p className="notice notice-quiet">
      This list is not complete. The gateway knows {known} {known === 1 ? 'domain' : 'domains'}
      {listed !== null && `; the registrar counts ${listed}`}. It reads the others in the
      background.
    </p>
  );
}
