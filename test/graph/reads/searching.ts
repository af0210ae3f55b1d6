import { catalogue } from '../../../src/sandbox/catalogue.ts';
import type { TestGateway } from '../../support/gateway.ts';
import { read } from './reads.ts';

/** A label that nobody has, that is no premium name and that every TLD allows. */
export const label = 'maple-harbor';

/** What is sold, in the order of the service's list. */
export const soldTlds: readonly string[] = catalogue
  .filter(({ entry }) => entry.status === 'Active')
  .map(({ tld }) => tld);

/** What a search answers, each result with `selection`. */
export const search = async (
  gateway: TestGateway,
  args: object,
  selection = 'name',
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into answers of any shape
): Promise<any[]> => {
  const { searchDomains } = await read(gateway, searchDocument(selection), args);
  return searchDomains;
};

export const searchDocument = (selection: string, directive = '') =>
  `query ($label: String!, $tlds: [String!], $filter: DomainSearchFilter) {
    searchDomains(label: $label, tlds: $tlds, filter: $filter) ${directive} { ${selection} }
  }`;

export const followDocument = (selection: string) =>
  `subscription ($label: String!, $tlds: [String!], $filter: DomainSearchFilter) {
    searchDomains(label: $label, tlds: $tlds, filter: $filter) { ${selection} }
  }`;

/** How many names each check asked about, in the order of arrival. */
export async function checkSizes(gateway: TestGateway): Promise<readonly number[]> {
  const calls = await gateway.upstreamCalls();
  return calls
    .filter(({ action }) => action.endsWith('checkavailability'))
    .map(({ domains }) => domains?.length ?? 1);
}

/** Every name that was asked about, as often as it was. */
export async function namesAsked(gateway: TestGateway): Promise<readonly string[]> {
  const calls = await gateway.upstreamCalls();
  return calls.flatMap(({ domain, domains }) => domains ?? (domain ? [domain] : []));
}

/** Lets the gateway learn how fast the service is just now. */
export async function learnPace(gateway: TestGateway): Promise<void> {
  await search(gateway, { label, filter: { first: 1000 } });
  await gateway.resetCalls();
}
