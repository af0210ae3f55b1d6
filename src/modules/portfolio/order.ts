import { valueOr } from '../../kernel/field-result.ts';
import type { DomainDetails } from '../../upstream/domain-api/shapes.ts';

export type DomainOrderField = 'NAME' | 'EXPIRES_AT' | 'REGISTERED_AT';

export interface DomainOrder {
  readonly field?: DomainOrderField;
  readonly direction?: 'ASC' | 'DESC';
}

/** What of a domain tells where it stands. */
type Placed = Pick<DomainDetails, 'expiresAt' | 'registeredAt'> & { readonly name: string };

/** The order, the date or `''`, and the name. */
export type DomainPosition = readonly string[];

export type DomainPlace = ReturnType<typeof domainPlace>;

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
  const dateOf = (leaf: DomainDetails['expiresAt']) => valueOr(leaf, null)?.toISOString() ?? never;
  const first: Record<DomainOrderField, (domain: Placed) => string> = {
    NAME: () => '',
    EXPIRES_AT: ({ expiresAt }) => dateOf(expiresAt),
    REGISTERED_AT: ({ registeredAt }) => dateOf(registeredAt),
  };
  return {
    order,
    field,
    descending,
    positionOf: (domain: Placed): DomainPosition => [order, first[field](domain), domain.name],
  };
}

/** Negative, zero or positive, as text compares. */
export function comparePositions(one: DomainPosition, other: DomainPosition): number {
  for (const [at, part] of one.entries()) {
    const against = other[at] ?? '';
    if (part !== against) return part < against ? -1 : 1;
  }
  return 0;
}
