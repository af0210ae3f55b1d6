import { leafOr } from '../../kernel/leaf.ts';
import type { DomainDetails } from '../../upstream/domain-api/shapes.ts';

type DomainOrderField = 'NAME' | 'EXPIRES_AT' | 'REGISTERED_AT';

interface DomainOrder {
  readonly field?: DomainOrderField;
  readonly direction?: 'ASC' | 'DESC';
}

/**
 * Where domains stand in an order. A position begins with the name of the order, so that a cursor of another one is told
 * apart, and ends with the domain's name, so that it is unique.
 *
 * A domain without the date comes last in either direction.
 */
export function domainPlace({ field = 'NAME', direction = 'ASC' }: DomainOrder) {
  const order = `${field} ${direction}`;
  const descending = direction === 'DESC';
  const never = descending ? '' : '~';
  const dateOf = (leaf: DomainDetails['expiresAt']) => leafOr(leaf, null)?.toISOString() ?? never;
  const first: Record<DomainOrderField, (domain: DomainDetails) => string> = {
    NAME: () => '',
    EXPIRES_AT: ({ expiresAt }) => dateOf(expiresAt),
    REGISTERED_AT: ({ registeredAt }) => dateOf(registeredAt),
  };
  return {
    order,
    descending,
    positionOf: (domain: DomainDetails) => [order, first[field](domain), domain.name],
  };
}
