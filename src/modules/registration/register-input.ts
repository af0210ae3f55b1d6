import { checkDomain } from '../input-text.ts';
import type { Checks } from '../problems.ts';
import { type ContactInput, withUpperCaseCountry } from './contact-input.ts';
import { checkNameServers, type Guards } from './order-checks.ts';

/** As a client writes it: names in any spelling. */
export interface RegisterInput extends Guards {
  readonly domain: string;
  readonly period: number;
  readonly nameServers: readonly string[];
  readonly registrant: ContactInput;
  readonly contact?: ContactInput | null | undefined;
  readonly privacyProtected: boolean;
  readonly transferLocked: boolean;
  readonly acceptPremium: boolean;
}

/** The input with every name and country in its one spelling, so that two spellings are one purchase. */
export const canonicalRegisterInput = (checks: Checks, input: RegisterInput) => ({
  ...input,
  domain: checkDomain(checks, input.domain),
  nameServers: checkNameServers(checks, input.nameServers),
  registrant: withUpperCaseCountry(input.registrant),
  contact: input.contact && withUpperCaseCountry(input.contact),
});

export type CanonicalRegisterInput = ReturnType<typeof canonicalRegisterInput>;
