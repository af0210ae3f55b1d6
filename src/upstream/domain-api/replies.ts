import { readErrorBody } from '../wire/error-codes.ts';
import {
  field,
  flag,
  integer,
  isObject,
  isOk,
  list,
  map,
  mapOf,
  noMembers,
  plainText,
  type Read,
  succeeded,
} from '../wire/read.ts';
import { bulkAvailability } from './availability-shapes.ts';
import {
  type DomainDetails,
  domainDetails,
  contacts as readContacts,
  reseller as readReseller,
  type UnnamedDetails,
} from './shapes.ts';
import { type TldDetails, tldEntry } from './tld-shapes.ts';

export { offers } from './availability-shapes.ts';

// The decoders of whole replies, as `operations.ts` lists them.

const isNamed = <Row extends { readonly name: string | null }, Named extends Row>(
  row: Row,
): row is Named => row.name !== null;

export const contacts = succeeded(({ data }) =>
  isObject(data) ? readContacts(data.contacts) : undefined,
);

export const details = succeeded(({ data }) => domainDetails(data));

/** One row of `domains`; undefined without a valid name. */
export function domain(row: unknown): DomainDetails | undefined {
  const read = domainDetails(row);
  return read && isNamed<UnnamedDetails, DomainDetails>(read) ? read : undefined;
}

/** The rows are decoded already. An account without domains replies `[]` for the object or null for the list. */
const listedDomains: Read<readonly DomainDetails[]> = (data) => {
  if (Array.isArray(data)) return data.length === 0 ? [] : undefined;
  const rows = isObject(data) ? data.Domains : undefined;
  if (rows === null) return [];
  return Array.isArray(rows) ? rows : undefined;
};

/** The count of the upstream, which may exceed the number of rows. */
const totalCount = field('TotalCount', integer);

export const domains = succeeded(({ data, TotalCount }) => {
  const rows = listedDomains(data);
  return rows && { domains: rows, totalCount: totalCount(TotalCount) };
});

/** The refusal of one name in a bulk reply. A check changes nothing, hence `executed: NO`. */
const refusedName = (entry: unknown) =>
  readErrorBody(entry, 'bulkcheckavailability')?.with({ executed: 'NO' }) ?? null;

export const offersByName = bulkAvailability(refusedName);

export const tlds = succeeded(({ data }) => {
  if (!Array.isArray(data)) return undefined;
  const named = data
    .map(tldEntry)
    .filter((row) => row !== undefined)
    .filter(isNamed<NonNullable<ReturnType<typeof tldEntry>>, TldDetails>);
  /** `rowCount` includes the rows without a valid TLD. */
  return { tlds: named, rowCount: data.length };
});

export const reseller = succeeded(readReseller);

// Replies of writes. After `OK` no field can fail the write: an invalid value is null, and `getdetails` has the truth.

const membersOf = (value: unknown) => map(value) ?? noMembers;

export const writtenDetails = succeeded(({ data }) => domainDetails(data) ?? null);

export const nameServers = succeeded(
  ({ data }) => list(plainText)(membersOf(data).NameServers) ?? null,
);

export const childNameServer = succeeded(({ data }) => {
  const { NameServer, IPAdresses } = membersOf(data);
  return {
    host: plainText(NameServer) ?? null,
    addresses: list(plainText)(IPAdresses) ?? [],
  };
});

export const transferLock = succeeded(({ data }) => ({
  locked: flag(membersOf(data).LockStatus) ?? null,
}));

/** `{}` is the specified reply, so `result` may be absent. */
export const privacy = mapOf(({ result, data }) =>
  result === undefined || isOk(result)
    ? { enabled: flag(membersOf(data).PrivacyProtectionStatus) ?? null }
    : undefined,
);
