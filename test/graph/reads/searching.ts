import { catalogue } from '../../../sandbox/service/catalogue.ts';
import { maxNamesPerCall } from '../../../src/kernel/upstream-calls.ts';
import type { TestGateway } from '../../support/gateway.ts';
import { read } from './reads.ts';

/** A label that is available, is no premium name, and is allowed under every TLD. */
export const label = 'maple-harbor';

/** The TLDs that are sold, in the order of the price list. */
export const soldTlds: readonly string[] = catalogue
  .filter(({ entry }) => entry.status === 'Active')
  .map(({ tld }) => tld);
/** Those of a search: the registrar cannot check names under internationalised TLDs. */
export const checkedTlds = soldTlds.filter((tld) => !tld.startsWith('xn--'));

/** The name of a result. */
export const nameOf = ({ availability }: { readonly availability: { readonly name: string } }) =>
  availability.name;

/** The results of a search, each with its name and `selection`. */
export const search = async (
  gateway: TestGateway,
  args: object,
  selection = 'position',
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into responses of any shape
): Promise<any[]> => {
  const { searchDomains } = await read(gateway, searchDocument(selection), args);
  return searchDomains;
};

const parameters =
  '$label: String!, $tlds: [String!], $filter: DomainSearchFilter, $first: Int, $suggestions: Int';
const passed = 'tlds: $tlds, filter: $filter, first: $first, suggestions: $suggestions';

export const searchDocument = (selection: string, directive = '') =>
  `query (${parameters}) {
    searchDomains(labels: [$label], ${passed}) ${directive} { availability { name } ${selection} }
  }`;

export const followDocument = (selection: string) =>
  `subscription (${parameters}) {
    searchDomains(labels: [$label], ${passed}) { availability { name } ${selection} }
  }`;

/** The number of names of each check, in the order of arrival. */
export async function checkSizes(gateway: TestGateway): Promise<readonly number[]> {
  const calls = await gateway.upstreamCalls();
  return calls
    .filter(({ action }) => action.endsWith('checkavailability'))
    .map(({ domains }) => domains?.length ?? 1);
}

/** Every checked name, as often as it was checked. */
export async function checkedNames(gateway: TestGateway): Promise<readonly string[]> {
  const calls = await gateway.upstreamCalls();
  return calls.flatMap(({ domain, domains }) => domains ?? (domain ? [domain] : []));
}

/** Searches until the gateway sends calls of 100 names, so that its estimate is of an upstream that responds at once. */
export async function learnPace(gateway: TestGateway): Promise<void> {
  let size = 0;
  for (let tries = 0; size < maxNamesPerCall && tries < 10; tries += 1) {
    await gateway.resetCalls();
    await search(gateway, { label, first: 1000 });
    size = Math.max(...(await checkSizes(gateway)));
  }
  await gateway.resetCalls();
}
