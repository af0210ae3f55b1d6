import { Balances, useAccount } from '../portfolio/account.tsx';
import { soonDays } from '../portfolio/filter.ts';
import { CustomerList } from './customer-list.tsx';
import { Prices } from './prices.tsx';
import { Statement } from './statement.tsx';

/** The business of the reseller. The gateway returns costs and balances to the token of its staff only. */
export function ResellerPage() {
  const account = useAccount(soonDays);
  return (
    <>
      <div className="page-head">
        <h1>Reseller</h1>
        <Balances account={account} />
      </div>
      <CustomerList />
      <Statement />
      <Prices />
    </>
  );
}
