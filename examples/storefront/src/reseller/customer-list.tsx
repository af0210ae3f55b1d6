import { useQuery } from 'urql';
import { errorText } from '../graph/error-text.ts';
import { longMonthText, monthOf } from '../portfolio/expiry.ts';
import type { Account } from '../session/session.ts';
import { Card } from '../shared/card.tsx';
import { type Money, moneyText } from '../shared/money.ts';
import { customers } from './customers.ts';
import { customerDocument } from './documents.ts';

/** The customers of the shop, each with its domains and the next renewals. */
export const CustomerList = () => (
  <section aria-labelledby="customers">
    <h2 id="customers">Customers</h2>
    <div className="customers">
      {customers.map((customer) => (
        <Customer key={customer.id} customer={customer} />
      ))}
    </div>
  </section>
);

function Customer({ customer: { id, name } }: { readonly customer: Account }) {
  const [{ data, error }] = useQuery({ query: customerDocument, variables: { customer: id } });
  const stats = data?.domainStats;
  const month = stats?.renewals.find(({ count }) => count > 0);
  return (
    <Card title={name}>
      {error && <p className="problem">{errorText(error)}</p>}
      {stats && (
        <dl className="facts">
          <dt>Domains</dt>
          <dd>
            <a href={`#/portfolio?customer=${encodeURIComponent(id)}`}>
              {stats.totalCount}
              <span className="unseen"> domains of {name}</span>
            </a>
          </dd>
          <dt>Next renewals</dt>
          <dd>
            {month
              ? `${month.count} in ${longMonthText(monthOf(month.from))}`
              : 'none within 12 months'}
          </dd>
          {month && (
            <>
              <dt>Price</dt>
              <dd>{amounts(month.totals.map(({ price }) => price))}</dd>
              <dt>Cost</dt>
              <dd>{amounts(month.totals.map(({ cost }) => cost))}</dd>
            </>
          )}
        </dl>
      )}
    </Card>
  );
}

const amounts = (all: readonly (Money | null)[]): string =>
  all.flatMap((one) => (one ? moneyText(one) : [])).join(' + ') || 'none';
