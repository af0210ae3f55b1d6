import { type Caller, mayAny } from './caller.ts';
import { Fault, type FaultCode, type FaultFacts, faults } from './faults.ts';

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

/** The facts that are amounts of the registrar, in the faults that have them. */
const amounts: readonly (keyof FaultFacts)[] = [
  'price',
  'allowed',
  'spent',
  'required',
  'available',
  'maxPrice',
  'lowest',
  'highest',
];

/** Whether a check of the cost refuses: the balance, a spend limit in money, or a limit of the caller for the cost. */
export const isAboutCosts = ({ code, facts, inputPath }: Fault): boolean =>
  code === 'INSUFFICIENT_FUNDS' ||
  (code === 'SPEND_LIMIT_EXCEEDED' && (facts.limit === 'PER_CALL' || facts.limit === 'PER_DAY')) ||
  (code === 'MAX_PRICE_EXCEEDED' && /Cost$/.test(inputPath.at(-1) ?? ''));

/** The same refusal without what the registrar charges, for a caller who must not know it. */
export function withoutCosts(fault: Fault): Fault {
  const { upstream } = fault;
  const shown = upstream
    ? fault.with({ upstream: { ...upstream, message: withoutAmounts(upstream.message) } })
    : fault;
  if (!isAboutCosts(shown)) return shown;
  const facts = Object.entries(shown.facts).filter(([name]) => !amounts.includes(name as never));
  return shown.with({ message: faults[shown.code].message, facts: Object.fromEntries(facts) });
}

/**
 * Whether a transfer has failed as one of a domain that another customer has. Such a transfer is never sent, so a caller that is
 * bound to a customer must not learn whether this one was.
 */
export const mayBeForeign = (fault: { readonly code: FaultCode } | null): boolean =>
  fault?.code === 'AUTH_CODE_INVALID';

/** The same refusal without facts of the whole account, for a caller that is bound to a customer. */
export function withoutTotals(fault: Fault): Fault {
  const { code, facts, upstream, executed, retryable, inputPath: path } = fault;
  if (mayBeForeign(fault)) return new Fault(code, { facts, executed, retryable, path });
  const { limit, scope } = facts;
  const isOfAccount = scope === 'GATEWAY' && (limit === 'PER_DAY' || limit === 'PER_HOUR');
  if (code !== 'INSUFFICIENT_FUNDS' && !isOfAccount) return fault;
  return fault.with({
    message: faults[code].message,
    facts: limit && scope ? { limit, scope } : {},
    ...(upstream && { upstream: { ...upstream, message: withoutAmounts(upstream.message) } }),
  });
}

/**
 * A message of the registrar without its numbers: each may be an amount, in the digits of any script, and in any notation.
 * A number word such as `½` or `Ⅻ` is one too.
 */
export const withoutAmounts = (message: string): string =>
  message.replaceAll(/\p{N}(?:[\p{P}\p{Zs}\p{Sk}\p{Cf}]*\p{N})*/gu, '…');
