import { valueOr } from '../../kernel/faults.ts';
import type { DomainDetails } from '../../upstream/domain-api/shapes.ts';
import type { DomainOrderField, DomainPlace } from './list-index/portfolio-index.ts';

export interface DomainOrder {
  readonly field?: DomainOrderField;
  readonly direction?: 'ASC' | 'DESC';
}

/**
 * The positions of domains in an order: the name of the order, the date or `''`, and the name of the domain. The first
 * part detects a cursor of another order; the last part makes the position unique.
 *
 * A domain without the date is last in both directions.
 */
export function domainPlace({
  field = 'NAME',
  direction = 'ASC',
}: DomainOrder): DomainPlace & { readonly order: string } {
  const order = `${field} ${direction}`;
  const descending = direction === 'DESC';
  const noDate = descending ? '' : '~';
  const dateText = (date: DomainDetails['expiresAt']) =>
    valueOr(date, null)?.toISOString() ?? noDate;
  return {
    order,
    field,
    descending,
    positionOf({ name, expiresAt, registeredAt }) {
      if (field === 'NAME') return [order, '', name];
      return [order, dateText(field === 'EXPIRES_AT' ? expiresAt : registeredAt), name];
    },
  };
}
