import type { DomainName } from '../../kernel/domain-name.ts';
import { invalidInput } from '../../kernel/faults.ts';
import type { Money } from '../../kernel/money.ts';
import type { PurchaseKind } from '../../persistence/purchase-record.ts';
import type { Loaders } from '../loaders.ts';
import { type Checks, checkDomain } from '../mutation/checks.ts';
import { checkNameServers } from '../name-server/rules.ts';
import type { Priced } from '../purchase/checks.ts';
import { type ContactInput, contactToWire } from '../registration/contact-input.ts';
import {
  checkRegistration,
  type RegisterInput,
  registerOperation,
} from '../registration/register.ts';
import {
  checkAuthCode,
  checkTransfer,
  type TransferInput,
  transferOperation,
} from '../transfer/transfer.ts';

/** What registrations have in common; a line may have values of its own. */
export interface OrderDefaults {
  readonly nameServers?: readonly string[] | null | undefined;
  readonly registrant?: ContactInput | null | undefined;
  readonly contact?: ContactInput | null | undefined;
  readonly privacyProtected?: boolean | null | undefined;
  readonly transferLocked?: boolean | null | undefined;
  /** Also of transfers. */
  readonly customer?: string | null | undefined;
}

type RegisterLine = Pick<
  RegisterInput,
  'domain' | 'period' | 'acceptPremium' | 'maxPrice' | 'maxCost'
> &
  OrderDefaults;
type TransferLine = Pick<
  TransferInput,
  'domain' | 'period' | 'authCode' | 'maxPrice' | 'maxCost' | 'customer'
>;

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
  | { readonly registration: RegisterLine; readonly transfer?: null | undefined }
  | { readonly registration?: null | undefined; readonly transfer: TransferLine };

/** The whole input of the purchase that a line is. */
export type LinePurchase =
  | { readonly kind: 'REGISTRATION'; readonly input: RegisterInput }
  | { readonly kind: 'TRANSFER'; readonly input: TransferInput };

/** One purchase of an order. */
export interface OrderLine {
  readonly kind: PurchaseKind;
  /** The name as the client wrote it. */
  readonly text: string;
  /** Null, with the fault recorded, for text that is not a domain name. */
  readonly domain: DomainName | null;
  /** Null for the default of the TLD. */
  readonly period: number | null;
  readonly maxPrice: Money | null | undefined;
  readonly maxCost: Money | null | undefined;
  /** The checks that read the upstream. */
  check(reads: Loaders, domain: DomainName, mayReadOwned: () => boolean): Promise<Priced>;
}

/** Checks the values of a line that need no upstream call. A line may have no contact and no name servers yet. */
export const prepareLine = (checks: Checks, line: OrderLineInput): OrderLine =>
  line.registration
    ? prepareRegistration(checks, line.registration)
    : prepareTransfer(checks, line.transfer);

function prepareRegistration(checks: Checks, line: RegisterLine): OrderLine {
  const { domain: text, period = null, acceptPremium, maxPrice, maxCost } = line;
  const domain = checkDomain(checks, text);
  checkDefaults(checks, line);
  return {
    kind: 'REGISTRATION',
    text,
    domain,
    period,
    maxPrice,
    maxCost,
    check: (reads, name, mayReadOwned) =>
      checkRegistration(checks, reads, { domain: name, period, acceptPremium }, mayReadOwned),
  };
}

function prepareTransfer(checks: Checks, line: TransferLine): OrderLine {
  const { domain: text, period = null, maxPrice, maxCost } = line;
  const domain = checkDomain(checks, text);
  checkAuthCode(checks, line);
  return {
    kind: 'TRANSFER',
    text,
    domain,
    period,
    maxPrice,
    maxCost,
    check: (reads, name) => checkTransfer(checks, reads, { domain: name, period }),
  };
}

/** The whole purchase of a line; null, with the faults recorded, when a value that it needs is in neither the line nor the defaults. */
export function toPurchase(
  checks: Checks,
  line: OrderLineInput,
  defaults: OrderDefaults,
): LinePurchase | null {
  if (!line.registration) {
    const { domain, period, authCode, maxPrice, maxCost, customer } = line.transfer;
    const guards = { maxPrice, maxCost, customer, dryRun: false };
    return { kind: 'TRANSFER', input: { domain, period, authCode, ...guards } };
  }
  const { registration } = line;
  const registrant = registration.registrant ?? defaults.registrant;
  const nameServers = registration.nameServers ?? defaults.nameServers;
  if (!registrant) checks.add(missing('registrant'));
  if (!nameServers) checks.add(missing('nameServers'));
  if (!registrant || !nameServers) return null;
  const { domain, period, acceptPremium, maxPrice, maxCost, customer } = registration;
  return {
    kind: 'REGISTRATION',
    input: {
      domain,
      period,
      acceptPremium,
      maxPrice,
      maxCost,
      customer,
      registrant,
      nameServers,
      contact: registration.contact ?? defaults.contact ?? null,
      privacyProtected: registration.privacyProtected ?? defaults.privacyProtected ?? false,
      transferLocked: registration.transferLocked ?? defaults.transferLocked ?? true,
      dryRun: false,
    },
  };
}

const missing = (field: string) =>
  invalidInput(`"${field}" is missing; set it in the line or in "defaults".`, {
    path: ['input', field],
  });

/** As `prepare` of the operation, for either kind. */
export const preparePurchase = (checks: Checks, { kind, input }: LinePurchase) =>
  kind === 'REGISTRATION'
    ? registerOperation.prepare(checks, input)
    : transferOperation.prepare(checks, input);
