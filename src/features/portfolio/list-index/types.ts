import type { DomainName } from '../../../kernel/domain-name.ts';
import type { DomainState } from '../../../kernel/domain-state.ts';
import type { TimeSpan } from '../../../kernel/instant.ts';
import type { Money } from '../../../kernel/money.ts';
import type { Beside, Page } from '../../../lib/pages.ts';
import type { DomainDetails } from '../../../upstream/domain-api/shapes.ts';

/** Conditions for domains; every given one must be met. A field that cannot be read meets no condition. */
export interface DomainFilter {
  readonly contains?: string | null | undefined;
  readonly tlds?: readonly string[] | null | undefined;
  readonly states?: readonly DomainState[] | null | undefined;
  readonly expires?: TimeSpan | null | undefined;
  readonly transferLocked?: boolean | null | undefined;
  readonly privacyProtected?: boolean | null | undefined;
  readonly nameServer?: string | null | undefined;
  /** Lists of names; the domain must be in each of them. */
  readonly among?: readonly (readonly DomainName[])[] | null | undefined;
}

/** The domains to select, and the time that decides which ones are expired. */
export interface DomainSelection {
  readonly filter: DomainFilter | null | undefined;
  readonly now: Date;
}

export type DomainOrderField = 'NAME' | 'EXPIRES_AT' | 'REGISTERED_AT';

/** The parts of a cursor; the last one is the name of the domain. */
export type DomainPosition = readonly string[];

export interface ListOrder {
  readonly field: DomainOrderField;
  readonly descending: boolean;
}

/** An order of domains, and the position of each domain in it. Positions compare as text. */
export interface DomainPlace extends ListOrder {
  positionOf(
    domain: Pick<DomainDetails, 'expiresAt' | 'registeredAt'> & { readonly name: string },
  ): DomainPosition;
}

export interface PageQuery extends Page<DomainPosition> {
  readonly place: DomainPlace;
}

export interface DomainPage {
  readonly domains: readonly DomainDetails[];
  /** Whether selected domains precede and follow the page, and the number of all. */
  readonly more: Beside & { readonly totalCount: number };
}

export interface Count<Key extends string = string> {
  readonly key: Key;
  readonly count: number;
}

export interface RenewalMonth {
  readonly month: string;
  readonly count: number;
  /** One for each currency, in the order of their codes. */
  readonly totals: readonly Money[];
  readonly unpriced: number;
}

/** The price of renewing the name for one year; null when it is not known. */
export type RenewalPrice = (name: DomainName) => Promise<Money | null>;
