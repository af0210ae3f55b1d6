import { graphql, type ResultOf } from '../graph/graphql.ts';
import { valueFields } from './documents.ts';

/** An error of a change, in the words of the gateway: these pages are for the operator. */
const changeErrorFields = graphql(
  `fragment ChangeErrorFields on UserError { message path executed }`,
);

export type ChangeError = ResultOf<typeof changeErrorFields>;

export const setNameServersDocument = graphql(
  `mutation SetNameServers($input: SetNameServersInput!) {
    payload: setNameServers(input: $input) { errors { ...ChangeErrorFields } }
  }`,
  [changeErrorFields],
);

export const addChildNameServerDocument = graphql(
  `mutation AddChildNameServer($input: AddChildNameServerInput!) {
    payload: addChildNameServer(input: $input) { errors { ...ChangeErrorFields } }
  }`,
  [changeErrorFields],
);

export const setPrivacyDocument = graphql(
  `mutation SetPrivacy($input: SetPrivacyProtectionInput!) {
    payload: setPrivacyProtection(input: $input) { errors { ...ChangeErrorFields } }
  }`,
  [changeErrorFields],
);

export const unlockDocument = graphql(
  `mutation Unlock($input: DomainInput!) {
    payload: disableTransferLock(input: $input) { errors { ...ChangeErrorFields } }
  }`,
  [changeErrorFields],
);

export const syncDocument = graphql(
  `mutation Sync($input: DomainInput!) {
    payload: syncDomain(input: $input) {
      changes { field before { ...ValueFields } after { ...ValueFields } }
      drift { field before { ...ValueFields } after { ...ValueFields } }
      errors { ...ChangeErrorFields }
    }
  }`,
  [changeErrorFields, valueFields],
);

export type Synchronised = ResultOf<typeof syncDocument>['payload'];
