import { ada } from '../../support/ada.ts';
import { at, input, type Row, With } from './row.ts';
import { dollar, flags, hosts, lines, otherHosts, transfer } from './values.ts';

const twoNames = { names: ['reseller-demo.com', 'unlocked-demo.com'] };
const item = { description: 'One', productType: 'DOMAIN', quantity: '1', unitPrice: '2' };
const filtered = { filter: {}, change: { sync: true } };

/** By input type: of every other mutation, and of quotes and previews. */
export const otherRows: Readonly<Record<string, Row>> = {
  SetNameServersInput: input(
    'setNameServers',
    { domain: 'private-demo.net', nameServers: hosts },
    {
      ...{ domain: 'unlocked-demo.com', nameServers: otherHosts },
    },
  ),
  SetPrivacyProtectionInput: input(
    'setPrivacyProtection',
    { domain: 'reseller-demo.com', privacyProtected: true },
    { domain: 'unlocked-demo.com', privacyProtected: false, reason: 'Because.' },
  ),
  DomainInput: input(
    'syncDomain',
    { domain: 'reseller-demo.com' },
    { domain: 'unlocked-demo.com' },
  ),
  AddChildNameServerInput: input(
    'addChildNameServer',
    { domain: 'reseller-demo.com', nameServer: '$.reseller-demo.com', ipAddress: '192.5.6.31' },
    { domain: 'unlocked-demo.com', nameServer: 'b.reseller-demo.com', ipAddress: '192.5.6.32' },
  ),
  TrackDomainsInput: input('trackDomains', { names: ['reseller-demo.com'] }, { names: ['a b'] }),
  SetDomainCustomerInput: input(
    'setDomainCustomer',
    { domains: ['unlocked-demo.com'], customer: 'acme' },
    { domains: ['reseller-demo.com'], customer: 'bolt' },
  ),
  LabelDomainsInput: input(
    'labelDomains',
    { domains: ['unlocked-demo.com'], set: [{ name: 'team', value: 'red' }] },
    {
      domains: ['reseller-demo.com'],
      set: [{ name: 'team', value: 'blue' }],
      remove: new With({ input: { domains: ['unlocked-demo.com'], set: [{ name: 'old' }] } }, [
        'team',
      ]),
    },
  ),
  LabelInput: input(
    'labelDomains',
    { domains: ['unlocked-demo.com'], set: [{ name: 'team', value: 'red' }] },
    { name: 'crew', value: 'blue' },
    ['set', '0'],
  ),
  ChangeDomainsInput: input(
    'changeDomains',
    { ...twoNames, change: { sync: true }, expectedCount: 2, idempotencyKey: 'change-$' },
    {
      ...{ names: ['reseller-demo.com', 'grace-demo.com'], change: { privacyProtected: true } },
      ...{ expectedCount: 3, idempotencyKey: 'other-$', filter: {} },
    },
  ),
  BulkChangeInput: at(
    'previewBulkChange',
    ['change'],
    { ...twoNames, change: { setNameServers: hosts } },
    {
      ...{ setNameServers: otherHosts, addNameServer: 'ns9.example-dns.net' },
      ...{
        removeNameServer: 'ns1.reseller-demo.com',
        privacyProtected: true,
        sync: true,
        unlock: true,
      },
      replaceNameServer: { from: 'ns1.reseller-demo.com', to: 'ns9.example-dns.net' },
      items: [{ domain: 'reseller-demo.com', nameServers: hosts }],
    },
  ),
  BulkChangeItemInput: at(
    'previewBulkChange',
    ['change', 'items', '0'],
    { change: { items: [{ domain: 'reseller-demo.com', nameServers: hosts }] } },
    { domain: 'unlocked-demo.com', nameServers: otherHosts },
  ),
  NameServerReplacementInput: at(
    'previewBulkChange',
    ['change', 'replaceNameServer'],
    {
      ...twoNames,
      change: { replaceNameServer: { from: 'ns1.reseller-demo.com', to: 'ns9.example.net' } },
    },
    { from: 'ns2.reseller-demo.com', to: 'ns8.example.net' },
  ),
  DomainFilter: at('previewBulkChange', ['filter'], filtered, {
    ...{ contains: 'reseller', customer: 'filtered', labels: [{ name: 'filtered' }] },
    ...{ expiresAfter: '2090-01-01', expiresBefore: '2000-01-01', nameServer: 'ns.none.net' },
    ...{ privacyProtected: true, transferLocked: true, states: ['DELETED'], tlds: ['net'] },
  }),
  LabelFilter: at(
    'previewBulkChange',
    ['filter', 'labels', '0'],
    { filter: { labels: [{ name: 'filtered' }] }, change: { sync: true } },
    { name: 'none', value: 'other' },
  ),
  SaveContactProfileInput: input(
    'saveContactProfile',
    { name: 'Profile $', contact: ada },
    {
      ...{ name: 'Other $', customer: 'acme', id: 'none' },
      contact: { ...ada, address: { ...ada.address, city: 'Bath' } },
    },
  ),
  DeleteContactProfileInput: input('deleteContactProfile', { id: '%profile' }, { id: 'none' }),
  SetDefaultsInput: input(
    'setDefaults',
    { nameServers: hosts },
    {
      ...{ ...flags, nameServers: otherHosts, profile: '%profile' },
    },
  ),
  RejectInput: input('reject', { id: '%approval' }, { id: 'none', reason: 'Because.' }),
  ApproveInput: input('approve', { id: '%approval' }, { id: 'none' }),
  CreateCartInput: input('createCart', { items: [item] }, { items: [item, item] }),
  CartItemInput: input(
    'createCart',
    { items: [item] },
    { description: 'Two', productType: 'HOSTING', quantity: '2', unitPrice: '3', total: '7' },
    ['items', '0'],
  ),
  CreateCartFromQuoteInput: input(
    'createCartFromQuote',
    { lines: [{ registration: { domain: '$-a.xyz' } }] },
    {
      ...{ lines: [{ transfer }], maxTotal: [dollar], maxTotalCost: [dollar] },
      defaults: { nameServers: ['a b'] },
    },
  ),
  UpdateHostingGroupInput: input(
    'updateHostingGroup',
    { id: 'hg_demo_1', name: 'One' },
    {
      ...{
        id: 'hg_demo_2',
        name: 'Two',
        description: 'Text',
        imageUrl: 'https://example.com/a.png',
      },
    },
  ),
  ConfirmInput: input('deleteLogs', { confirm: true }, { confirm: false }),
  CreateWebhookInput: input(
    'createWebhook',
    { url: 'http://127.0.0.1:9/$' },
    {
      ...{ url: 'http://127.0.0.1:9/other-$', customer: 'acme', description: 'Text' },
      ...{ labels: [{ name: 'team' }], types: ['EXPIRED'] },
    },
  ),
  UpdateWebhookInput: input(
    'updateWebhook',
    { id: '%webhook', description: 'One' },
    {
      ...{ id: 'none', description: 'Two', types: ['EXPIRED'], url: 'http://127.0.0.1:9/other-$' },
    },
  ),
  DeleteWebhookInput: input(
    'deleteWebhook',
    { id: '%webhook', confirm: true },
    { id: 'none', confirm: false },
  ),
  WebhookInput: input('testWebhook', { id: '%webhook' }, { id: 'none' }),
  RedeliverWebhookEventInput: input(
    'redeliverWebhookEvent',
    { id: '%webhook', eventId: 'none' },
    { id: 'none', eventId: '%event' },
  ),
  CreateCalendarFeedInput: input(
    'createCalendarFeed',
    { name: 'Feed $' },
    {
      ...{ name: 'Other $', customer: 'acme', labels: [{ name: 'team' }] },
    },
  ),
  DeleteCalendarFeedInput: input('deleteCalendarFeed', { id: '%feed' }, { id: 'none' }),
  QuoteOrderInput: input(
    'quoteOrder',
    { lines },
    {
      ...{ lines: [{ transfer }], maxTotal: [dollar], maxTotalCost: [dollar] },
      defaults: { nameServers: ['a b'] },
    },
  ),
};
