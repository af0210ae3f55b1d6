import { parseDocument, visit } from 'yaml';
import { z } from 'zod';
import { ruled, ruleOf } from '../../../config/formats.ts';
import type { ListedDomain } from '../../../console/gateway-client.ts';
import {
  canonicalHosts,
  isDomainName,
  isSameHosts,
  parseDomainName,
} from '../../../kernel/domain-name.ts';
import type { DomainState } from '../../../kernel/domain-state.ts';
import { StartError } from '../../../lib/errors.ts';
import { maxNameServers } from '../../../modules/name-server/rules.ts';

/** What a file wants of a domain. */
export interface Desired {
  readonly nameServers?: readonly string[] | undefined;
  readonly privacyProtected?: boolean | undefined;
}

/** A domain that is not as the file wants it. */
export interface Difference {
  readonly domain: ListedDomain;
  /** The values that differ. */
  readonly desired: Desired;
}

const domainName = ruled(
  'a domain name, such as "example.com"',
  z
    .string()
    .refine(isDomainName)
    .transform((text) => parseDomainName(text)),
);

const nameServers = ruled(
  `a list of 1 to ${maxNameServers} host names`,
  z
    .array(z.string().refine(isDomainName))
    .transform(canonicalHosts)
    .refine(({ length }) => length >= 1 && length <= maxNameServers),
);

const entry = z
  .strictObject(
    {
      names: z
        .array(domainName, 'a list of names')
        .min(1, 'a list of at least one name')
        .optional(),
      match: ruled(
        'a pattern of names without blanks and commas, such as "*.de"',
        z.string().regex(/^[^\s,;]+$/),
      ).optional(),
      labels: ruled(
        'an object with at least one text, such as { team: blue }',
        z.record(z.string(), z.string()).refine((labels) => Object.keys(labels).length > 0),
      ).optional(),
      nameServers: nameServers.optional(),
      privacyProtected: ruled('true or false', z.boolean()).optional(),
    },
    'an object with "names", "match", "labels", "nameServers" and "privacyProtected"',
  )
  .refine(
    ({ names, match, labels }) => (names === undefined) !== (match === undefined && !labels),
    'an object with either "names", or "match" or "labels" or both',
  )
  .refine(
    (one) => one.nameServers !== undefined || one.privacyProtected !== undefined,
    'an object with "nameServers" or "privacyProtected" or both',
  );

const file = z.strictObject(
  { domains: z.array(entry, 'a list').min(1, 'a list of at least one entry') },
  'one object with "domains"',
);

export type Entry = z.output<typeof entry>;

/** The entries of a YAML file. @throws StartError with one sentence */
export function parseDesired(text: string): readonly Entry[] {
  const read = file.safeParse(yamlOf(text));
  if (read.success) return read.data.domains;
  throw new StartError(`The file must be corrected: ${ruleOf(read.error)}.`);
}

function yamlOf(text: string): unknown {
  try {
    // The check of the package compares each key of an object with all others.
    const document = parseDocument(text, { schema: 'core', uniqueKeys: false });
    const [error] = document.errors;
    if (error?.code === 'MULTIPLE_DOCS') throw new Error('it has several documents; write one');
    if (error?.code === 'BAD_ALIAS') refuseAlias(false);
    if (error) throw error;
    visit(document, {
      Map: (_key, { items }) => checkKeys(items.map(({ key }) => String(key))),
      Alias: (_key, alias) => refuseAlias(alias.resolve(document) !== undefined),
    });
    return document.toJS();
  } catch (error) {
    const { message } = error as Error;
    const isDeep = error instanceof RangeError || message.includes('call stack');
    const reason = isDeep ? 'it is nested too deeply' : message.replace(/:?\n.*/s, '');
    throw new StartError(`The file is not YAML that can be read: ${reason}.`);
  }
}

/** A few lines with aliases can be gigabytes. */
function refuseAlias(isDefined: boolean): never {
  throw new Error(
    isDefined
      ? 'it has an alias; write the value in its place'
      : 'a value begins with *, which YAML reads as an alias; write the value in quotes, such as "*-demo.net"',
  );
}

function checkKeys(keys: readonly string[]): void {
  const known = new Set<string>();
  for (const key of keys) {
    if (known.has(key)) throw new Error(`"${key.slice(0, 40)}" is twice in one object`);
    known.add(key);
  }
}

/** The desired settings of each domain. A later entry replaces the values of earlier ones. */
export function desiredOf(
  entries: readonly Entry[],
  domains: readonly ListedDomain[],
): ReadonlyMap<ListedDomain, Desired> {
  const byName = new Map<string, ListedDomain>(domains.map((domain) => [domain.name, domain]));
  const desired = new Map<ListedDomain, Desired>();
  for (const one of entries) {
    const selected = one.names
      ? one.names.flatMap((name) => byName.get(name) ?? [])
      : domains.filter(selectorOf(one));
    for (const domain of selected) {
      desired.set(domain, { ...desired.get(domain), ...valuesOf(one) });
    }
  }
  return desired;
}

/** The numbers of the entries whose pattern and labels select no domain, from 1. */
export const emptyEntries = (
  entries: readonly Entry[],
  domains: readonly ListedDomain[],
): readonly number[] =>
  entries.flatMap((one, at) => (one.names || domains.some(selectorOf(one)) ? [] : [at + 1]));

/** The members that are set. */
const valuesOf = ({ nameServers: hosts, privacyProtected }: Desired): Desired => ({
  ...(hosts && { nameServers: hosts }),
  ...(privacyProtected !== undefined && { privacyProtected }),
});

/** The states of domains that patterns and labels select. Others rarely allow a change. */
const inUse: ReadonlySet<string> = new Set<DomainState>(['ACTIVE', 'EXPIRED']);

function selectorOf({ match = '*', labels = {} }: Entry): (one: ListedDomain) => boolean {
  const pattern = match.toLowerCase();
  const wanted = Object.entries(labels);
  return ({ name, unicodeName, state, labels: found }) =>
    inUse.has(state) &&
    (matches(name, pattern) || matches(unicodeName, pattern)) &&
    wanted.every(([label, value]) => found[label] === value);
}

/** Whether a name is one of the pattern, where `*` is any text. */
function matches(name: string, pattern: string): boolean {
  const [first = '', ...parts] = pattern.split('*');
  const last = parts.pop();
  if (last === undefined) return name === first;
  if (!name.startsWith(first) || !name.endsWith(last)) return false;
  let at = first.length;
  for (const part of parts) {
    const found = name.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return at <= name.length - last.length;
}

/** The domains that differ, with the values that differ. */
export function differencesOf(desired: ReadonlyMap<ListedDomain, Desired>): readonly Difference[] {
  return [...desired].flatMap(([domain, { nameServers: hosts, privacyProtected }]) => {
    const different = valuesOf({
      nameServers: hosts && isSameHosts(hosts, domain.nameServers ?? []) ? undefined : hosts,
      privacyProtected: privacyProtected === domain.privacyProtected ? undefined : privacyProtected,
    });
    return Object.keys(different).length > 0 ? [{ domain, desired: different }] : [];
  });
}
