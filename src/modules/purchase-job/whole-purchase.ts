import type { Checks } from '../mutation/checks.ts';
import type { PreparedPurchase } from '../purchase/flow.ts';
import { prepareRegistration, type WholeRegistration } from '../registration/register.ts';
import { prepareTransfer, type TransferInput } from '../transfer/transfer.ts';

/** The whole input of a purchase that a job makes. */
export type WholePurchase =
  | { readonly kind: 'REGISTRATION'; readonly input: WholeRegistration }
  | { readonly kind: 'TRANSFER'; readonly input: TransferInput };

/** Makes the checks of a whole purchase that need no read. */
export const preparePurchase = (
  checks: Checks,
  { kind, input }: WholePurchase,
): PreparedPurchase =>
  kind === 'REGISTRATION' ? prepareRegistration(checks, input) : prepareTransfer(checks, input);
