import { getOperationAST, parse, validate } from 'graphql';
import { expect, test } from 'vitest';
import { schema } from '../app/graph.ts';
import { globalId } from '../schema/global-id.ts';
import { createEstimate } from '../server/graphql/cost-estimate.ts';

const estimate = createEstimate(schema);

/** The highest number of upstream calls of a document. */
function costOf(text: string): number | undefined {
  const document = parse(text);
  expect(validate(schema, document)).toEqual([]);
  const operation = getOperationAST(document);
  if (!operation) throw new Error('There is no operation.');
  return estimate({ document, operation, variables: undefined })?.upstreamCalls;
}

const names = (count: number, from = 0) =>
  JSON.stringify(Array.from({ length: count }, (_, at) => `maple-${from + at}.com`));
const node = (type: 'Domain' | 'Contact' | 'Tld' | 'Reseller', key: string) =>
  `node(id: "${globalId(type, key)}")`;
const contacts = (field: string) => `contacts { registrant { ${field} } billing { ${field} } }`;
const manyOf = (count: number, line: (at: number) => string) =>
  `[${Array.from({ length: count }, (_, at) => line(at)).join(' ')}]`;
const transfers = (count: number) =>
  manyOf(count, (at) => `{ transfer: { domain: "oak-${at}.com", authCode: "c" } }`);
const codes = (count: number) => manyOf(count, (at) => `{ position: ${at}, authCode: "c" }`);
const a = 'domain(name: "a.com")';
const aRefreshed = 'domain(name: "a.com", refresh: true)';

test.each<[string, number]>([
  [`${a} { name }`, 1],
  [`${a} { name } again: domain(name: "A.com.") { state }`, 1],
  [`${a} { name } other: domain(name: "b.com") { name }`, 2],
  [`${aRefreshed} { name } again: ${aRefreshed} { name }`, 1],
  [`${a} { name } refreshed: ${aRefreshed} { name }`, 2],
  [`${aRefreshed} { ${contacts('email')} authCode }`, 2],
  [`${a} { ${contacts('id role upstreamId')} }`, 1],
  [`${a} { ${contacts('email')} ${contacts('phone { e164 } fax { number }')} }`, 2],
  [`${a} { ${contacts('phone { e164 }')} }`, 2],
  [`${a} { ${contacts('address { city }')} }`, 2],
  [`${a} { ${contacts('additional { key }')} }`, 2],
  ['reseller { renewalsDue { count } }', 3],
  ['reseller { renewalsDue { count } } domainStats { totalCount } tlds { totalCount }', 3],
  [`${a} { authCode }`, 1],
  [`${a} { tld { name } renewalQuote(period: 1) { certainty } }`, 2],
  [`${a} { renewalQuote(period: 1) { certainty } }`, 2],
  [`domainsByName(names: ${names(4)}) { name }`, 4],
  [`domainsByName(names: ${names(5)}) { name }`, 6],
  [`domainsByName(names: ${names(3)}) { ${contacts('email')} authCode }`, 6],
  ['domains(first: 10) { nodes { name } }', 1],
  ['domains { nodes { authCode } }', 21],
  [`domains(first: 10) { nodes { ${contacts('email')} authCode tld { name } } }`, 22],
  [`domains(last: 10) { edges { node { ${contacts('email')} } } }`, 11],
  [`domains(first: 9) { nodes { authCode } } again: domains(first: 9) { nodes { authCode } }`, 10],
  [
    `domains(first: 9) { nodes { authCode } }
      other: domains(first: 9, filter: { tlds: ["com"] }) { nodes { authCode } }`,
    19,
  ],
  ['domains { totalCount } refreshed: domains(refresh: true) { totalCount }', 2],
  ['domainStats { totalCount } domains { totalCount }', 1],
  ['domainStats { renewals(months: 1) { count } }', 2],
  ['domainStats { totalCount } refreshed: domainStats(refresh: true) { totalCount }', 2],
  ['domains(refresh: true) { totalCount } domainStats(refresh: true) { totalCount }', 1],
  ['availability(name: "a.com") { state } b: availability(name: "b.com") { state }', 1],
  [
    'availability(name: "a.com") { state } b: availability(name: "b.com", refresh: true) { state }',
    2,
  ],
  ['availability(name: "a.com") { tld { name } quote(period: 1) { certainty } }', 2],
  ['availability(name: "a.com") { quote(period: 1) { certainty } }', 2],
  [
    `availabilities(names: ${names(100)}) { state } again: availabilities(names: ${names(100)}) { state }`,
    1,
  ],
  [
    `availabilities(names: ${names(100)}) { state } more: availabilities(names: ${names(2, 99)}) { state }`,
    2,
  ],
  [
    `availabilities(names: ${names(150)}) { state quote { certainty } } again: availabilities(names: ${names(150)}) { state }`,
    3,
  ],
  [
    `availabilities(names: ${names(1)}) { state } r: availabilities(names: ${names(1)}, refresh: true) { state }`,
    2,
  ],
  ['availabilities(names: ["a b", ""]) { state } availability(name: "a b") { state }', 0],
  ['domain(name: "a b") { name } r: domain(name: "", refresh: true) { name }', 0],
  ['domainsByName(names: ["a b", "a.com"]) { name }', 1],
  [
    `quoteOrder(input: { lines: [{ registration: { domain: "a.com" } } { registration: { domain: "A.com." } }
      { registration: { domain: "no name" } } { transfer: { domain: "b.com", authCode: "c" } }] }) { affordable }`,
    4,
  ],
  ['quoteOrder(input: { lines: [{ registration: { domain: "no name" } }] }) { affordable }', 2],
  [
    `quoteOrder(input: { lines: [{ registration: { domain: "a.com" } }] }) { affordable }
      availability(name: "a.com") { state }`,
    4,
  ],
  [
    'quoteOrder(input: { lines: [{ transfer: { domain: "no name", authCode: "c" } }] }) { affordable }',
    2,
  ],
  [`quoteOrder(input: { lines: ${transfers(4)} }) { affordable }`, 7],
  [`quoteOrder(input: { lines: ${transfers(200)} }) { affordable }`, 5],
  ['events { nodes { type } }', 0],
  ['order(by: { id: "none" }) { state lines { state } } orders { totalCount }', 0],
  ['tld(name: "com") { name } tlds { totalCount }', 1],
  ['tlds { totalCount }', 1],
  ['reseller { name } again: reseller { name }', 1],
  [`${node('Domain', 'a.com')} { id ... on Domain { ${contacts('email')} } }`, 2],
  [`${node('Contact', 'a.com/billing')} { id }`, 1],
  [`${node('Contact', 'a.com/billing')} { ... on Contact { email } }`, 2],
  [`${node('Tld', 'com')} { id }`, 1],
  [`${node('Reseller', 'self')} { id }`, 1],
  [`${node('Domain', 'a b')} { id }`, 0],
  [`${node('Contact', 'a.com/owner')} { id ... on Contact { email } }`, 0],
  ['gateway { version }', 0],
  ['previewBulkChange(names: ["a.com"], change: { sync: true }) { count }', 1],
  ['previewBulkChange(filter: {}, change: { sync: true }) { count } domains { totalCount }', 1],
  ['bulkChanges { nodes { items { domainName } } }', 0],
  [`node(id: "${globalId('BulkChange', 'x')}") { id }`, 0],
  ['searchDomains(labels: ["maple"], tlds: ["com", "net"]) { availability { name } }', 2],
  ['searchDomains(labels: ["maple"]) { availability { tld { name } } quote { period } }', 2],
  ['searchDomains(labels: ["maple"], first: 101) { availability { name } }', 3],
  ['searchDomains(labels: ["maple"], filter: { available: true }) { availability { name } }', 11],
  ['searchDomains(labels: ["maple", "oak"], tlds: ["com", "net"]) { position }', 2],
  ['searchDomains(labels: ["maple"], suggestions: 1) { availability { name } }', 3],
])('{ %s } costs at most %i calls', (selection, calls) => {
  expect(costOf(`{ ${selection} }`)).toBe(calls);
});

const input = (fields = '') => `(input: { domain: "a.com" ${fields} })`;
const change = (domains: string) =>
  `changeDomains(input: { idempotencyKey: "k", expectedCount: 2, change: { sync: true } ${domains} })`;
const sync = `syncDomain${input()}`;
const ada = `{ firstName: "Ada", lastName: "Byron", email: "ada@example.com", phone: "+49 30 123456",
  address: { line1: "Hauptstr. 1", city: "Berlin", zipCode: "10115", country: "DE" } }`;
const buy = (dryRun: boolean) =>
  `registerDomain${input(`nameServers: ["ns1.a.net"] registrant: { fields: ${ada} } dryRun: ${dryRun}`)}`;
const line = (domain: string) => `{ registration: { domain: "${domain}" } }`;

test.each<[string, number]>([
  [`disableTransferLock${input()} { transferLocked }`, 1],
  [`disableTransferLock${input()} { domain { name } }`, 2],
  [`disableTransferLock${input()} { domain { ${contacts('email')} } }`, 3],
  [`setPrivacyProtection${input('privacyProtected: true')} { domain { name } }`, 2],
  [`setNameServers${input('nameServers: ["ns1.a.net"]')} { nameServers }`, 1],
  [
    `addChildNameServer${input('nameServer: "ns1.a.com" ipAddress: "8.8.8.8"')} { errors { code } }`,
    2,
  ],
  [
    `addChildNameServer${input('nameServer: "ns1.a.com" ipAddress: "8.8.8.8"')} { domain { name } }`,
    2,
  ],
  [`${sync} { registry { status } }`, 1],
  [`${sync} { domain { name } drift { field } }`, 2],
  [`${sync} { drift { field } }`, 2],
  [`${sync} { domain { name } drift { field } changes { field } }`, 3],
  [`${change('names: ["a.com", "b.com"]')} { bulkChange { items { domainName } } }`, 0],
  [`${change('filter: {}')} { bulkChange { id } }`, 1],
  [`saveContactProfile(input: { name: "a", contact: ${ada} }) { errors { code } }`, 0],
  ['deleteContactProfile(input: { id: "a" }) { deleted }', 0],
  ['setDefaults(input: { transferLocked: true }) { errors { code } }', 0],
  ['approve(input: { id: "a" }) { approval { purchase { state } } }', 0],
  ['reject(input: { id: "a", reason: "b" }) { approval { order { state } } }', 0],
  ['trackDomains(input: { names: ["a.com"] }) { added }', 0],
  ['setDomainCustomer(input: { domains: ["a.com"] }) { domains { name customer } }', 1],
  ['labelDomains(input: { domains: ["a.com"], remove: ["x"] }) { errors { code } }', 1],
  ['retryOrder(input: { by: { key: "k" }, idempotencyKey: "r" }) { replayed }', 22],
  [
    `retryOrder(input: { by: { key: "k" }, idempotencyKey: "r", lines: [{ position: 0, authCode: "c" },
      { position: 1, authCode: "d" }] }) { replayed }`,
    24,
  ],
  [
    `retryOrder(input: { by: { key: "k" }, idempotencyKey: "r", lines: ${codes(200)} }) { replayed }`,
    23,
  ],
  [`placeOrder(input: { idempotencyKey: "o", lines: ${transfers(500)} }) { replayed }`, 8],
  ['cancelPurchase(input: { id: "1" }) { purchase { state domainName } }', 0],
  ['cancelPurchase(input: { id: "1" }) { purchase { domain { name } } }', 1],
  ['cancelBulkChange(input: { id: "1" }) { cancelled }', 0],
  ['retryBulkChange(input: { id: "1" }) { retried }', 0],
  ['logout { loggedOut }', 1],
  ['deleteLogs(input: { confirm: true }) { deleted }', 1],
  ['deleteHostingGroup(input: { confirm: true }) { deleted }', 1],
  ['updateHostingGroup(input: { id: "1" }) { hostingGroup { name } }', 1],
  ['createCart(input: { items: [] }) { cart { id } }', 1],
  [`createCartFromQuote(input: { lines: [${line('a.com')} ${line('b.com')}] }) { cart { id } }`, 4],
  [`${buy(false)} { dryRun }`, 6],
  [`${buy(true)} { dryRun }`, 3],
  [`${buy(false)} { domain { name } }`, 6],
  [`${buy(true)} { domain { name } }`, 3],
  [`${buy(false)} { domain { ${contacts('email')} } }`, 7],
  [`${buy(false)} { purchase { domain { ${contacts('email')} } } }`, 7],
  [`transferDomain${input('authCode: "Auth-1"')} { domain { name } }`, 7],
  [`transferDomain${input('authCode: "Auth-1" dryRun: true')} { dryRun }`, 4],
])('mutation { %s } costs %i calls', (selection, calls) => {
  expect(costOf(`mutation { ${selection} }`)).toBe(calls);
});

test('a subscription to a search costs as much as the search', () => {
  expect(
    costOf('subscription { searchDomains(labels: ["maple"]) { availability { name } } }'),
  ).toBe(2);
});
