import type { Fault } from '../../kernel/faults.ts';
import type { PurchaseKind } from '../../persistence/purchase-record.ts';
import { purchaseFieldsOf, withField } from '../mutation/refused-fields.ts';

/** The member of a line that holds each kind. */
const memberOf = { REGISTRATION: 'registration', TRANSFER: 'transfer' } as const;

/** The fault with its path, if any, below a member of the input. */
export const below = (fault: Fault, members: readonly string[]): Fault =>
  fault.inputPath.length === 0
    ? fault
    : fault.with({ path: ['input', ...members, ...fault.inputPath.slice(1)] });

/** The fault of a purchase, with its path in the order. */
export const faultOfLine = (fault: Fault, kind: PurchaseKind, position: number): Fault =>
  faultOfCheck(withField(fault, purchaseFieldsOf[kind]), kind, position);

/** The fault of a check, which knows its field. */
export const faultOfCheck = (fault: Fault, kind: PurchaseKind, position: number): Fault =>
  below(fault, ['lines', String(position), memberOf[kind]]);
