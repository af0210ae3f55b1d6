// Compiled by relay-compiler, and not executed.
import { graphql } from 'relay-runtime';

graphql`
  query documentsDomainsQuery($first: Int!, $after: String) {
    domains(first: $first, after: $after) @connection(key: "documents_domains") {
      edges { node { id name nameServers } }
      pageInfo { hasNextPage endCursor }
    }
  }
`;
graphql`
  fragment documents_late on Query { reseller { name } }
`;
graphql`
  query documentsLateQuery { tld(name: "com") { name } ...documents_late @defer }
`;
graphql`
  mutation documentsChangeMutation($input: SetNameServersInput!) {
    setNameServers(input: $input) { domain { id nameServers } errors { code message } }
  }
`;
graphql`
  query documentsNodeQuery($id: ID!) { node(id: $id) { id ... on Domain { name nameServers } } }
`;
