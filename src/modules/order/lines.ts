import type { DomainName } from '../../kernel/domain-name.ts';
import type { Money } from '../../kernel/money.ts';
import type { PurchaseKind } from '../../persistence/store.ts';
import type { Loaders } from '../loaders.ts';
import { type Checks, checkDomain } from '../mutation/checks.ts';
import { checkNameServers } from '../name-server/rules.ts';
import type { Priced } from '../registration/checks.ts';
import { type ContactInput, contactToWire } from '../registration/contact-input.ts';
import { checkRegistration, type RegisterInput } from '../registration/register.ts';
import { checkAuthCode, checkTransfer, type TransferInput } from '../registration/transfer.ts';

/** What registrations have in common; a line may have values of its own. */
export interface OrderDefaults {
  readonly nameServers?: readonly string[] | null | undefined;
  readonly registrant?: ContactInput | null | undefined;
  readonly contact?: ContactInput | null | undefined;
  readonly privacyProtected?: boolean | null | undefined;
  readonly transferLocked?: boolean | null | undefined;
}

type RegisterLine = Pick<RegisterInput, 'domain' | 'period' | 'acceptPremium' | 'maxPrice'> &
  OrderDefaults;
type TransferLine = Pick<TransferInput, 'domain' | 'period' | 'authCode' | 'maxPrice'>;

/** Checks the values that registrations share, where they are set. */
export function checkDefaults(
  checks: Checks,
  { nameServers, registrant, contact }: OrderDefaults,
): void {
  if (nameServers) checkNameServers(checks, nameServers);
  if (registrant) contactToWire(checks, ['input', 'registrant'], registrant);
  if (contact) contactToWire(checks, ['input', 'contact'], contact);
}

/** A registration or a transfer. */
export type OrderLineInput =
  | { readonly register: RegisterLine; readonly transfer?: null | undefined }
  | { readonly register?: null | undefined; readonly transfer: TransferLine };

/** One purchase of an order. */
export interface OrderLine {
  readonly kind: PurchaseKind;
  /** The member of `OrderLineInput` that holds it. */
  readonly member: 'register' | 'transfer';
  /** The name as the client wrote it. */
  readonly text: string;
  /** Null, with the fault recorded, for text that is not a domain name. */
  readonly domain: DomainName | null;
  readonly period: number;
  readonly maxPrice: Money | null | undefined;
  /** The checks that read the upstream. */
  check(reads: Loaders, domain: DomainName, mayReadOwned: () => boolean): Promise<Priced>;
}

/** Checks the values of a line that need no upstream call. A line may have no contact and no name servers yet. */
export const prepareLine = (checks: Checks, line: OrderLineInput): OrderLine =>
  line.register
    ? prepareRegistration(checks, line.register)
    : prepareTransfer(checks, line.transfer);

function prepareRegistration(checks: Checks, line: RegisterLine): OrderLine {
  const { domain: text, period, acceptPremium, maxPrice } = line;
  const domain = checkDomain(checks, text);
  checkDefaults(checks, line);
  return {
    ...{ kind: 'REGISTER', member: 'register', text, domain, period, maxPrice },
    check: (reads, name, mayReadOwned) =>
      checkRegistration(checks, reads, { domain: name, period, acceptPremium }, mayReadOwned),
  };
}

function prepareTransfer(checks: Checks, line: TransferLine): OrderLine {
  const { domain: text, period, maxPrice } = line;
  const domain = checkDomain(checks, text);
  checkAuthCode(checks, line);
  return {
    ...{ kind: 'TRANSFER', member: 'transfer', text, domain, period, maxPrice },
    check: (reads, name) => checkTransfer(checks, reads, { domain: name, period }),
  };
}
