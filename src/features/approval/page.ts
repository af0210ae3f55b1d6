import type { GraphQLSchema } from 'graphql';
import { servedTypeName } from '../../kernel/schema-extensions.ts';
import { type FeaturePage, keyFormOf, type PageFacts, scriptOf } from '../../server/ui/page.ts';
import { subjectKinds } from './subject.ts';

/** Approvals of the list. */
const listed = 50;

const facts =
  'id operation state count price { amount currency } cost { amount currency } rule { position text } caller customer reason decidedBy requestedAt expiresAt decidedAt';
const registrations =
  'registrations { domainName registrant { firstName lastName company email phone address { line1 line2 city state zipCode country } } nameServers }';
/** Who decides. */
const self = 'gateway { caller scopes }';

/** The documents of the page. Their variables have no type that a feature can rename. */
const documentsOf = (schema: GraphQLSchema) => ({
  list: `query ApprovalsPage { approvals(first: ${listed}, filter: { states: [REQUESTED] }) { totalCount countAtLeast nodes { ${facts} ${subjectIn(schema, 'selectedByList')} } } ${self} }`,
  one: `query ApprovalPage($id: ID!) { node(id: $id) { ... on ${servedTypeName(schema, 'Approval')} { ${facts} ${registrations} ${subjectIn(schema, 'selectedByPage')} } } ${self} }`,
  approve:
    'mutation ApproveOnPage($id: ID!) { approve(input: { id: $id }) { errors { message } } }',
  reject:
    'mutation RejectOnPage($id: ID!, $reason: String) { reject(input: { id: $id, reason: $reason }) { errors { message } } }',
});

/** What the page selects of the types that the graph has. */
const subjectIn = (schema: GraphQLSchema, page: 'selectedByPage' | 'selectedByList'): string => {
  const selections = [...subjectKinds.values()].flatMap(({ type, [page]: fields }) => {
    const name = servedTypeName(schema, type.name);
    return fields && schema.getType(name) ? `... on ${name} { ${fields} }` : [];
  });
  return `subject { ${selections.join(' ')} }`;
};

const mainOf = ({ schema, requiresKey }: PageFacts): string => `<h1>Approvals</h1>
<p class="lead">Requests that wait for the decision of another person.</p>
${requiresKey ? keyFormOf('Show approvals', 'A decision needs the scope <code>approvals:decide</code>.') : ''}
<p id="page-message" role="alert"></p>
<p id="list-link" hidden></p>
<div id="approvals" hidden></div>
<script type="application/json" id="approval-options">${JSON.stringify({ requiresKey, documents: documentsOf(schema) })}</script>
<noscript><p>This page needs JavaScript. Without it use <code>approvals</code>, <code>approve</code> and <code>reject</code> of the graph.</p></noscript>`;

/** The requests that wait for a decision, and each approval. */
export const approvalsPage: FeaturePage = {
  path: '/approvals',
  title: 'Approvals',
  description: 'Requests that wait for the decision of another person.',
  script: scriptOf(new URL('approvals-page.js', import.meta.url)),
  documentsOf: ({ schema }) => Object.values(documentsOf(schema)),
  mainOf,
};
