import { domainNow } from '../../modules/domain/schema.ts';
import { builder, needs } from '../../schema/builder.ts';
import { numberIn } from '../../schema/connection.ts';
import { givenIn, nullableFields, optionalInputs, requiredFields } from '../../schema/fields.ts';
import { listArgs, storedList, storedListRef } from '../../schema/stored-list.ts';
import { TimeSpanRef } from '../../schema/values.ts';
import { auditLog } from './service.ts';
import type { AuditEntry, AuditPage } from './store.ts';

const AuditEntryRef = builder.objectRef<AuditEntry>('AuditEntry').implement({
  description:
    'For operators: one write, or one read of an auth code or of contacts, also a refused one. It never has the value that was read or written.',
  fields: (t) => ({
    ...requiredFields(t, 'Int', {
      position:
        'Its place in the audit log of the account, from 1. The outcome of an entry has a place of its own, so places are left out.',
    }),
    ...requiredFields(t, 'DateTime', { startedAt: 'Time before the first call was sent.' }),
    ...nullableFields(t, 'DateTime', {
      endedAt: 'Time of the outcome; null without an outcome.',
    }),
    ...requiredFields(t, 'String', {
      operation:
        'Name of the mutation, or of a read, such as `authcode.read` or `contacts.read`. A line of an order and a domain of a bulk change have the mutation that does the same for one domain.',
    }),
    domainName: t.expose('domain', {
      type: 'DomainName',
      nullable: true,
      description:
        'The name of the domain; null for an operation without a single domain. Of `setDomainCustomer` and `labelDomains` with several domains each has an entry too, with the same `requestId`.',
    }),
    domain: domainNow(t, 'domains'),
    ...nullableFields(t, 'String', {
      caller: 'Name of the API key or token; null when the gateway requires no credential.',
      customer: 'The customer to which the caller is bound; null for none.',
    }),
    ...requiredFields(t, 'String', {
      tenant: 'Name of the tenant.',
      requestId:
        'Id of the request, as in the header `x-request-id`. Of a line of an order and a domain of a bulk change the `id` of the order or the bulk change.',
    }),
    ...nullableFields(t, 'String', {
      address: 'IP address of the client; null unless `AUDIT_ADDRESSES` is set.',
      inputHash:
        'Equal for equal inputs of one operation. The input cannot be computed from it. Null for a read.',
      outcome:
        '`OK`, also of an order or a bulk change that waits for a decision; the state of a purchase; or an `ErrorCode`. Null while the operation runs, and when its process ended before the outcome was stored: the write may have been executed.',
    }),
    ...nullableFields(t, 'Int', {
      upstreamCalls: 'Upstream calls of the operation; null for a read and without an outcome.',
      refusals:
        'Of an operation that was refused for a missing scope the attempts for which the entry stands: all of its document, and those before that have no entry. Null for others.',
    }),
    ...requiredFields(t, 'String', {
      hash: 'SHA-256 of the entry and of the one before it, which `audit verify` checks.',
    }),
  }),
});

const AuditFilterRef = builder.inputType('AuditFilter', {
  description: 'Conditions for entries. An entry must meet all conditions that are set.',
  fields: (t) => ({
    ...optionalInputs(t, 'String', {
      caller: 'Only entries of this API key or token.',
      customer: 'Only entries of callers that are bound to this customer.',
      operation: 'Only entries with this operation.',
      outcome: 'Only entries with this outcome.',
    }),
    ...optionalInputs(t, 'DomainName', { domain: 'Only entries of this domain.' }),
    ...optionalInputs(t, TimeSpanRef, { at: 'Only entries that started in this span.' }),
  }),
});

const AuditEntryConnectionRef = storedListRef('AuditEntry', AuditEntryRef);

const entries = storedList({
  name: 'auditLog',
  parts: 1,
  positionOf: ({ position }: AuditEntry) => [String(position)],
  placeOf: numberIn,
  each: { domains: 1 },
  list: ({ use }, page: AuditPage) => use(auditLog).list(page),
});

builder.queryField('auditLog', (t) =>
  t.field({
    ...needs('audit:read'),
    type: AuditEntryConnectionRef,
    description:
      'The audit log of the account, newest first. Calls: none. Entries are deleted after `AUDIT_RETENTION_DAYS`.',
    args: listArgs(t, AuditFilterRef, 'entries'),
    extensions: entries.extensions,
    resolve: (_root, { filter, ...page }, scope) => entries.page(scope, page, givenIn(filter)),
  }),
);
