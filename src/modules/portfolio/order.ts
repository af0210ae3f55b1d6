import { leafOr } from '../../kernel/leaf.ts';
import type { DomainDetails } from '../../upstream/domain-api/shapes.ts';

export type DomainOrderField = 'NAME' | 'EXPIRES_AT' | 'REGISTERED_AT';

/**
 * A domain's place in an order. The name is the last part, so that places are unique.
 *
 * A domain without the date comes last in either direction.
 */
export function domainPosition(field: DomainOrderField, descending: boolean) {
  const never = descending ? '' : '~';
  const dateOf = (leaf: DomainDetails['expiresAt']) => leafOr(leaf, null)?.toISOString() ?? never;
  const first: Record<DomainOrderField, (domain: DomainDetails) => string> = {
    NAME: () => '',
    EXPIRES_AT: ({ expiresAt }) => dateOf(expiresAt),
    REGISTERED_AT: ({ registeredAt }) => dateOf(registeredAt),
  };
  return (domain: DomainDetails): [string, string] => [first[field](domain), domain.name];
}
