import { useQuery } from 'urql';
import { graphql } from '../graph/graphql.ts';
import { type Money, moneyText } from '../shared/money.ts';

const accountDocument = graphql(
  `query Account { reseller { balances { money { amount currency } } } }`,
);

/** The balances of the account, one per currency. None while they are read, and for a key without the scope. */
export function useBalances(): readonly Money[] {
  const [{ data }] = useQuery({ query: accountDocument });
  return data?.reseller?.balances?.flatMap(({ money }) => money ?? []) ?? [];
}

export function Balances({ balances }: { readonly balances: readonly Money[] }) {
  if (balances.length === 0) return null;
  return (
    <p className="balance">
      Balance <strong>{balances.map(moneyText).join(' · ')}</strong>
    </p>
  );
}
