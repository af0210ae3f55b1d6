import { useQuery } from 'urql';
import { graphql } from '../graph/graphql.ts';
import { moneyText } from '../shared/money.ts';

const accountDocument = graphql(
  `query Account { reseller { balances { money { amount currency } } } }`,
);

/** The balances of the account. A key without the scope for them shows none. */
export function Account() {
  const [{ data }] = useQuery({ query: accountDocument });
  const amounts = data?.reseller?.balances?.flatMap(({ money }) => money ?? []) ?? [];
  if (amounts.length === 0) return null;
  return (
    <p className="balance">
      Balance <strong>{amounts.map(moneyText).join(' · ')}</strong>
    </p>
  );
}
