import { useQuery } from 'urql';
import { graphql, type ResultOf } from '../graph/graphql.ts';
import { isStaff } from '../session/session.ts';
import { type Money, moneyText } from '../shared/money.ts';

const accountDocument = graphql(`
  query Account($days: Int!) {
    reseller {
      balances { money { amount currency } }
      renewalsDue(days: $days) { covered totals { cost { amount currency } } }
    }
  }
`);

export type Account = NonNullable<ResultOf<typeof accountDocument>['reseller']>;

/** The balances, and the costs of the renewals of so many days. Null while they are read, and for customers. */
export function useAccount(days: number): Account | null {
  const [{ data }] = useQuery({ query: accountDocument, variables: { days }, pause: !isStaff });
  return data?.reseller ?? null;
}

/** One amount per currency; a balance that cannot be read is left out. */
export const balancesOf = (account: Account | null): readonly Money[] =>
  account?.balances?.flatMap(({ money }) => money ?? []) ?? [];

export function Balances({ account }: { readonly account: Account | null }) {
  const balances = balancesOf(account);
  if (balances.length === 0) return null;
  return (
    <p className="balance">
      Balance <strong>{balances.map(moneyText).join(' · ')}</strong>
    </p>
  );
}
