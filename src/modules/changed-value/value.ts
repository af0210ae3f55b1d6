import type { DomainState } from '../../kernel/domain-state.ts';
import type { Money, PriceOperation } from '../../kernel/money.ts';

/** The fields that a value can be about. */
interface Members {
  readonly status: string;
  readonly state: DomainState;
  readonly registeredAt: Date;
  readonly expiresAt: Date;
  readonly transferLocked: boolean;
  readonly privacyProtected: boolean;
  readonly nameServers: readonly string[];
  readonly days: number;
  readonly money: Money;
  readonly operation: PriceOperation;
  /** Years. */
  readonly period: number;
}

/** A value before or after a change: as text, and in the member that it is about. */
export type ChangedValue = Partial<Members> & { readonly text: string };

/** A field of a domain with two values. */
export interface ChangedField {
  readonly field: string;
  readonly before: ChangedValue | null;
  readonly after: ChangedValue | null;
}

type TextMember = 'status' | 'registeredAt' | 'expiresAt' | 'transferLocked' | 'privacyProtected';

/** The value of one field of a domain. */
export const changedValue = <Name extends TextMember | 'nameServers'>(
  field: Name,
  value: Members[Name],
): ChangedValue => ({ text: textOf(value), [field]: value });

function textOf(value: string | boolean | Date | readonly string[]): string {
  if (value instanceof Date) return value.toISOString();
  return typeof value === 'object' ? value.join(' ') : String(value);
}
