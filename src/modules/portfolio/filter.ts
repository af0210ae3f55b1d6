import { parseTld, unicodeName } from '../../kernel/domain-name.ts';
import { leafOr } from '../../kernel/leaf.ts';
import type { DomainState } from '../../upstream/domain-api/domain-state.ts';
import type { DomainDetails } from '../../upstream/domain-api/shapes.ts';

/** Which domains to list; all that is given must hold. A leaf that cannot be read matches nothing that asks for it. */
export interface DomainFilter {
  readonly contains?: string | null | undefined;
  readonly tlds?: readonly string[] | null | undefined;
  readonly states?: readonly DomainState[] | null | undefined;
  readonly expiresAfter?: Date | null | undefined;
  readonly expiresBefore?: Date | null | undefined;
  readonly transferLocked?: boolean | null | undefined;
  readonly privacyProtected?: boolean | null | undefined;
  readonly nameServer?: string | null | undefined;
}

export function createDomainFilter(filter: DomainFilter): (domain: DomainDetails) => boolean {
  const text = filter.contains?.trim().toLowerCase();
  const endings = filter.tlds?.map((tld) => `.${parseTld(tld) ?? ''}`);
  const { states, expiresAfter, expiresBefore, transferLocked, privacyProtected, nameServer } =
    filter;
  return (domain) => {
    const expiresAt = leafOr(domain.expiresAt, null);
    return (
      (!text || domain.name.includes(text) || unicodeName(domain.name).includes(text)) &&
      (!endings || endings.some((ending) => domain.name.endsWith(ending))) &&
      (!states || states.includes(domain.state)) &&
      (!expiresAfter || (expiresAt !== null && expiresAt >= expiresAfter)) &&
      (!expiresBefore || (expiresAt !== null && expiresAt < expiresBefore)) &&
      (typeof transferLocked !== 'boolean' || domain.transferLocked === transferLocked) &&
      (typeof privacyProtected !== 'boolean' || domain.privacyProtected === privacyProtected) &&
      (!nameServer ||
        leafOr(domain.nameServers, []).some((host) => host.toLowerCase() === nameServer))
    );
  };
}
