import { type Caller, checkCustomer, mayAny } from '../../kernel/caller.ts';
import { Fault } from '../../kernel/faults.ts';
import type { Checks } from '../mutation/checks.ts';

const path = ['input', 'customer'];

/** Refuses a customer for whom the caller must not buy. A caller of a customer buys for that one, also when it names none. */
export function checkPurchaser(
  checks: Checks,
  caller: Caller,
  customer: string | null | undefined,
): void {
  const own = caller.customer;
  if ((customer ?? own) === own) return;
  if (own !== null) {
    const message = 'Your key or token buys for its own customer only; leave "customer" out.';
    checks.add(new Fault('FORBIDDEN', { message, path }));
  } else if (!mayAny(caller, ['customers:write'])) {
    const message =
      '"customer" needs the scope "customers:write"; your key or token does not have it.';
    checks.add(new Fault('FORBIDDEN', { message, path }));
  } else {
    checks.check(path, () => checkCustomer(customer ?? ''));
  }
}
