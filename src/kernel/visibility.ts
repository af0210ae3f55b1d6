import { type Caller, mayAny } from './caller.ts';
import { Fault } from './faults.ts';

/**
 * A caller sees its own purchases and jobs, with the scope `ops` all of the account. A caller that is bound to a customer sees
 * those for this customer.
 */
export const isVisibleTo = (
  caller: Caller,
  made: Pick<Caller, 'customer'> & { readonly caller: Caller['name'] },
): boolean =>
  caller.customer === null
    ? mayAny(caller, ['ops']) || made.caller === caller.name
    : made.customer === caller.customer;

/** The filter within the customer to which a caller is bound. No customer has an empty name. */
export const ofCustomer = <Filter extends { readonly customer?: string }>(
  { customer }: Pick<Caller, 'customer'>,
  filter: Filter,
): Filter =>
  customer === null
    ? filter
    : { ...filter, customer: (filter.customer ?? customer) === customer ? customer : '' };

/**
 * A filter of purchases or jobs, for those that the caller sees. A caller without a name has none of its own.
 *
 * @throws Fault `FORBIDDEN`
 */
export function visibleFilter<
  Filter extends { readonly caller?: string; readonly customer?: string },
>(caller: Caller, filter: Filter): Filter {
  const { name, customer } = caller;
  if (mayAny(caller, ['ops'])) return filter;
  if (filter.caller === undefined) {
    return customer === null ? { ...filter, caller: name ?? '' } : ofCustomer(caller, filter);
  }
  throw new Fault('FORBIDDEN', { message: 'The filter `caller` needs the scope `ops`.' });
}
