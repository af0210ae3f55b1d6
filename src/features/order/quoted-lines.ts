import type { DomainName } from '../../kernel/domain-name.ts';
import type { Money } from '../../kernel/money.ts';
import type { PurchaseKind } from '../../persistence/purchase-record.ts';
import type { Reads } from '../../scope/reads.ts';
import { contactToWire } from '../../modules/contact/contact-input.ts';
import type { WholePurchase } from '../../modules/purchase-job/whole-purchase.ts';
import { type Checks, checkDomain } from '../../modules/mutation/checks.ts';
import { checkNameServers } from '../../modules/name-server/rules.ts';
import type { Priced, PurchaseGuards } from '../../modules/purchase/checks.ts';
import type { PurchaseOperation } from '../../modules/purchase/flow.ts';
import { purchaseFingerprint } from '../../modules/purchase/idempotency.ts';
import {
  contactFields,
  type RegistrationValues,
  type StoredValues,
} from '../../modules/purchase/registration-values.ts';
import {
  checkRegistration,
  type RegisterInput,
  registerOperation,
} from '../../modules/registration/register.ts';
import {
  checkAuthCode,
  checkTransfer,
  type TransferInput,
  transferOperation,
} from '../../modules/transfer/transfer.ts';

/** What lines have in common; a line may have values of its own. The customer is also that of transfers. */
export type OrderDefaults = RegistrationValues & Pick<PurchaseGuards, 'customer'>;

type RegisterLine = Omit<RegisterInput, 'idempotencyKey' | 'dryRun'>;
type TransferLine = Omit<TransferInput, 'idempotencyKey' | 'dryRun'>;

/** Checks the values that a client sent for registrations. */
export function checkValues(
  checks: Checks,
  stored: StoredValues,
  { nameServers, ...values }: RegistrationValues,
): void {
  if (nameServers) checkNameServers(checks, nameServers);
  for (const field of contactFields) {
    const choice = values[field];
    const given = choice && stored.contactOf(checks, field, choice);
    if (given) contactToWire(checks, ['input', ...given.path], given.contact);
  }
}

/** A registration or a transfer. */
export type OrderLineInput =
  | { readonly registration: RegisterLine; readonly transfer?: null | undefined }
  | { readonly registration?: null | undefined; readonly transfer: TransferLine };

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
  check(reads: Reads, domain: DomainName, mayReadOwned: () => boolean): Promise<Priced>;
}

/** Checks the values of a line that need no upstream call. A line may have no contact and no name servers yet. */
export function prepareLine(
  checks: Checks,
  stored: StoredValues,
  { registration, transfer }: OrderLineInput,
): OrderLine {
  const { domain: text, period = null, maxPrice, maxCost } = registration ?? transfer;
  const common = { text, domain: checkDomain(checks, text), period, maxPrice, maxCost };
  if (!registration) {
    checkAuthCode(checks, transfer);
    const check: OrderLine['check'] = (reads, domain, mayReadOwned) =>
      checkTransfer(checks, reads, { domain, period }, mayReadOwned);
    return { ...common, kind: 'TRANSFER', check };
  }
  const { acceptPremium } = registration;
  checkValues(checks, stored, registration);
  const check: OrderLine['check'] = (reads, domain, mayReadOwned) =>
    checkRegistration(checks, reads, { domain, period, acceptPremium }, mayReadOwned);
  return { ...common, kind: 'REGISTRATION', check };
}

/** The whole purchase of a line; null, with the faults recorded, when a value that it needs is missing. */
export function toPurchase(
  checks: Checks,
  line: OrderLineInput,
  stored: StoredValues,
): WholePurchase | null {
  if (!line.registration) return { kind: 'TRANSFER', input: { ...line.transfer, dryRun: false } };
  const { isWhole, ...values } = stored.complete(checks, line.registration);
  const input = { ...line.registration, ...values, dryRun: false };
  return isWhole ? { kind: 'REGISTRATION', input } : null;
}

/** A hash of a line as it was sent, with the values of the order. */
export function lineFingerprint(
  { registration, transfer }: OrderLineInput,
  shared: RegistrationValues,
): string {
  if (!registration) return fingerprintOf(transferOperation, { ...transfer, dryRun: false });
  const own = Object.entries(registration).filter(([, value]) => (value ?? null) !== null);
  const input = { ...shared, ...Object.fromEntries(own), dryRun: false } as RegisterInput;
  return fingerprintOf(registerOperation, input);
}

const fingerprintOf = <Input>({ kind, identify }: PurchaseOperation<Input>, input: Input): string =>
  purchaseFingerprint(kind, identify(input));
