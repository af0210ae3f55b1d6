import { refusalFields } from '../graph/error-text.ts';
import { graphql, type ResultOf, type VariablesOf } from '../graph/graphql.ts';

/** The stored contacts of the customer, and the one that its purchases have when they name none. */
export const contactsDocument = graphql(`
  query Contacts {
    contactProfiles(first: 100) {
      nodes {
        id
        name
        customer
        contact {
          firstName lastName company email phone
          address { line1 zipCode city country }
        }
      }
    }
    purchaseDefaults { profile { id } }
  }
`);

export const saveContactDocument = graphql(
  `mutation SaveContact($input: SaveContactProfileInput!) {
    saveContactProfile(input: $input) { profile { id } errors { ...RefusalFields } }
  }`,
  [refusalFields],
);

export const deleteContactDocument = graphql(
  `mutation DeleteContact($id: ID!) {
    payload: deleteContactProfile(input: { id: $id }) { errors { ...RefusalFields } }
  }`,
  [refusalFields],
);

export const setDefaultDocument = graphql(
  `mutation SetDefault($profile: ID) {
    payload: setDefaults(input: { profile: $profile }) { errors { ...RefusalFields } }
  }`,
  [refusalFields],
);

export type StoredContact = NonNullable<
  ResultOf<typeof contactsDocument>['contactProfiles']
>['nodes'][number];
export type ContactInput = VariablesOf<typeof saveContactDocument>['input']['contact'];
