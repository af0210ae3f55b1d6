// Mutation input texts that have a syntax. A scalar would refuse the whole request; here each fault is recorded with its path,
// together with the other faults of the input.
import type { GraphQLScalarType } from 'graphql';
import { GraphQLCountryCode, GraphQLEmailAddress } from 'graphql-scalars';
import { type DomainName, isDomainName, parseDomainName } from '../../kernel/domain-name.ts';
import { Fault } from '../../kernel/faults.ts';
import { quoted } from '../../lib/quoted.ts';
import { type Checks, createChecks } from './checks.ts';

/** The domain of a mutation input; null, with the fault recorded, when the text is not a domain name. */
export const checkDomain = (checks: Checks, text: string): DomainName | null =>
  checks.check(['input', 'domain'], () => parseDomainName(text));

/** The domain of an input without other checks. @throws Problems with its path */
export function domainOf({ domain }: { readonly domain: string }): DomainName {
  const checks = createChecks();
  const name = checkDomain(checks, domain);
  if (name === null) throw checks.problems();
  return name;
}

/** A host name in canonical form; the unchanged text, with the fault recorded, when it is not a host name. */
export const checkHost = (checks: Checks, path: readonly string[], text: string): string =>
  checks.check(path, () => parseDomainName(text)) ?? text;

/** An ISO 3166-1 alpha-2 code in upper case. @throws Fault `INVALID_INPUT` */
export function countryCode(text: string): string {
  const code = text.trim().toUpperCase();
  if (!accepts(GraphQLCountryCode, code)) {
    throw new Fault('INVALID_INPUT', {
      message: `${quoted(text)} is not a country code such as "DE" (ISO 3166-1).`,
    });
  }
  return code;
}

const longestEmail = 254;

/** One e-mail address, surrounding blanks removed. @throws Fault `INVALID_INPUT` */
export function emailAddress(text: string): string {
  const email = text.trim();
  const host = email.slice(email.lastIndexOf('@') + 1);
  // The scalar also accepts `ada@localhost`, which no registry delivers to.
  const isAddress =
    accepts(GraphQLEmailAddress, email) && isDomainName(host) && email.length <= longestEmail;
  if (!isAddress) {
    throw new Fault('INVALID_INPUT', {
      message: '"email" must be one address such as "ada@example.com".',
    });
  }
  return email;
}

/** Whether a scalar accepts the text. Its own error message is not used. */
export function accepts(scalar: GraphQLScalarType, text: string): boolean {
  try {
    scalar.parseValue(text);
    return true;
  } catch {
    return false;
  }
}
