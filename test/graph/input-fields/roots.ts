const errors = 'errors { code message path }';
const bought = `keyUsed dryRun purchase { key kind state period customer price { amount } errors { code } } quote { period } ${errors}`;
const ordered = `keyUsed order { id key } quote { lines { errors { code } } } ${errors}`;
const feed = `feed { name customer labels { name value } }`;
const hook = `webhook { url types description customer state labels { name value } }`;
const mutation = (field: string, type: string, selection: string) =>
  `mutation ($input: ${type}!) { ${field}(input: $input) { ${selection} } }`;

/** The documents. */
export const roots = {
  registerDomain: mutation('registerDomain', 'RegisterDomainInput', bought),
  transferDomain: mutation('transferDomain', 'TransferDomainInput', bought),
  placeOrder: mutation('placeOrder', 'PlaceOrderInput', ordered),
  retryOrder: mutation('retryOrder', 'RetryOrderInput', ordered),
  cancelOrder: mutation('cancelOrder', 'LookupInput', `cancelled ${errors}`),
  setNameServers: mutation('setNameServers', 'SetNameServersInput', errors),
  setPrivacyProtection: mutation('setPrivacyProtection', 'SetPrivacyProtectionInput', errors),
  syncDomain: mutation('syncDomain', 'DomainInput', errors),
  addChildNameServer: mutation('addChildNameServer', 'AddChildNameServerInput', errors),
  trackDomains: mutation('trackDomains', 'TrackDomainsInput', `added ${errors}`),
  setDomainCustomer: mutation(
    ...(['setDomainCustomer', 'SetDomainCustomerInput'] as const),
    `domains { name customer } ${errors}`,
  ),
  labelDomains: mutation(
    ...(['labelDomains', 'LabelDomainsInput'] as const),
    `domains { name labels { name value } } ${errors}`,
  ),
  changeDomains: mutation(
    ...(['changeDomains', 'ChangeDomainsInput'] as const),
    `bulkChange { key items { domainName } change { sync privacyProtected } } ${errors}`,
  ),
  previewBulkChange: `query ($change: BulkChangeInput!, $filter: DomainFilter, $names: [String!]) {
    previewBulkChange(change: $change, filter: $filter, names: $names) {
      count unchanged sample { domainName after { text } } ${errors} } }`,
  quoteOrder: `query ($input: QuoteOrderInput!) {
    quoteOrder(input: $input) { lines { domainName errors { code path } } ${errors} } }`,
  saveContactProfile: mutation(
    ...(['saveContactProfile', 'SaveContactProfileInput'] as const),
    `profile { name customer contact { firstName address { city } } } ${errors}`,
  ),
  deleteContactProfile: mutation('deleteContactProfile', 'DeleteContactProfileInput', errors),
  setDefaults: mutation(
    ...(['setDefaults', 'SetDefaultsInput'] as const),
    `defaults { customer nameServers privacyProtected transferLocked profile { name } } ${errors}`,
  ),
  approve: mutation('approve', 'ApproveInput', `approval { state } ${errors}`),
  reject: mutation('reject', 'RejectInput', `approval { state reason } ${errors}`),
  createCart: mutation('createCart', 'CreateCartInput', `cart { total } ${errors}`),
  createCartFromQuote: mutation('createCartFromQuote', 'CreateCartFromQuoteInput', errors),
  updateHostingGroup: mutation('updateHostingGroup', 'UpdateHostingGroupInput', errors),
  deleteLogs: mutation('deleteLogs', 'ConfirmInput', errors),
  createWebhook: mutation('createWebhook', 'CreateWebhookInput', `${hook} ${errors}`),
  updateWebhook: mutation('updateWebhook', 'UpdateWebhookInput', `${hook} ${errors}`),
  deleteWebhook: mutation('deleteWebhook', 'DeleteWebhookInput', errors),
  testWebhook: mutation('testWebhook', 'WebhookInput', errors),
  redeliverWebhookEvent: mutation('redeliverWebhookEvent', 'RedeliverWebhookEventInput', errors),
  createCalendarFeed: mutation(
    'createCalendarFeed',
    'CreateCalendarFeedInput',
    `${feed} ${errors}`,
  ),
  deleteCalendarFeed: mutation('deleteCalendarFeed', 'DeleteCalendarFeedInput', errors),
};
