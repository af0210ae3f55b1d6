/**
 * The names of graph 0.2 that 0.3 replaced: fields, input fields and enum values as `Type.name`, arguments as `Type.field.name`,
 * and types. Remove it with the next version.
 */
const renamed: Readonly<Record<string, string>> = {
  'Query.purchaseByKey': 'purchase(by: { key })',
  'Query.purchase.id': 'by: { id }',
  'Query.orderByKey': 'order(by: { key })',
  'Query.order.id': 'by: { id }',
  'Query.domainChange': 'bulkChange(by: { id })',
  'Query.domainChangeByKey': 'bulkChange(by: { key })',
  'Query.domainChanges': 'bulkChanges',
  'Query.previewDomainChange': 'previewBulkChange',
  'Query.webhookDeliveries': 'webhook(id:) { deliveries }',
  'Query.searchDomains.label': 'labels',
  'Subscription.searchDomains.label': 'labels',
  'Subscription.domainChangeProgress': 'bulkChangeProgress',
  'Mutation.cancelDomainChange': 'cancelBulkChange',
  'Mutation.retryDomainChange': 'retryBulkChange',
  'ChangeDomainsPayload.job': 'bulkChange',
  'CancelBulkChangePayload.job': 'bulkChange',
  'RetryBulkChangePayload.job': 'bulkChange',
  'BulkChangeProgressUpdate.job': 'bulkChange',
  'BulkChangeInput.nameServers': 'setNameServers',
  'RequestedChange.nameServers': 'setNameServers',
  'PurchaseKind.REGISTER': 'REGISTRATION',
  'OrderLineInput.register': 'registration',
  'SetPrivacyProtectionInput.enabled': 'privacyProtected',
  'Purchase.error': 'errors',
  'RegisterDomainPayload.price': 'purchase { price }',
  'TransferDomainPayload.price': 'purchase { price }',
  'Event.purchaseId': 'purchase { id }',
  'OutcomeUnknown.purchaseId': 'purchase { id }',
  'IdempotencyConflict.purchaseId': 'purchase { id }',
  'DomainConnection.complete': 'coverage { complete }',
  'DomainConnection.knownCount': 'coverage { known }',
  'DomainConnection.upstreamCount': 'coverage { listed }',
  'DomainConnection.asOf': 'coverage { asOf }',
  'DomainConnection.oldestRowAt': 'coverage { oldestRowAt }',
  'DomainStats.complete': 'coverage { complete }',
  'DomainStats.asOf': 'coverage { asOf }',
  'DomainSearchFilter.first': 'the argument first of searchDomains',
  'DomainSearchFilter.suggestions': 'the argument suggestions of searchDomains',
  'DomainSearchResult.name': 'availability { name }',
  'DomainSearchResult.unicodeName': 'availability { unicodeName }',
  'DomainSearchResult.price': 'availability { quote }',
  'DomainSearchResult.tld': 'availability { tld }',
  'ChangedField.account': 'before',
  'ChangedField.registry': 'after',
  ...Object.fromEntries(
    ['firstName', 'lastName', 'company', 'email', 'phone', 'address'].map((name) => [
      `ContactChoiceInput.${name}`,
      `fields: { ${name} }`,
    ]),
  ),
  RegisterLineInput: 'RegistrationLineInput',
  DomainChangeInput: 'BulkChangeInput',
  DomainChangeJob: 'BulkChange',
  DomainChange: 'ChangedField',
  DomainDrift: 'ChangedField',
  DomainChangeValue: 'ChangedValue',
  ...Object.fromEntries(
    ['AlreadyExists', 'AlreadyOwned', 'AuthCodeInvalid', 'ConfirmationRequired']
      .concat('DomainNotAvailable', 'GatewayUnavailable', 'InvalidInput', 'NotAuthorized')
      .concat('NotFound', 'PriceUnavailable', 'TransferPending', 'UpstreamRejected')
      .concat('UpstreamUnavailable')
      .map((type) => [type, 'PlainError']),
  ),
};

/** How graphql-js names a place in its messages. */
const places: readonly RegExp[] = [
  /^Cannot query field "(?<name>\w+)" on type "(?<at>\w+)"/,
  /^Unknown argument "(?<name>\w+)" on field "(?<at>\w+\.\w+)"/,
  /\bField "(?<name>\w+)" is not defined by type "(?<at>\w+)"/,
  /\bValue "(?<name>\w+)" does not exist in "(?<at>\w+)" enum/,
  /^Unknown type "(?<name>\w+)"/,
];

/** The message of graphql-js with the new name of a name of graph 0.2, if it is about one. */
export function withNewName(message: string): string {
  const { at, name } = places.map((place) => place.exec(message)?.groups).find(Boolean) ?? {};
  const place = at ? `${at}.${name}` : (name ?? '');
  return Object.hasOwn(renamed, place)
    ? `${message} It was renamed to "${renamed[place]}".`
    : message;
}
