// First: it adds the scopes and error codes of features.
import { features } from '../features/index.ts';
import '../modules/index.ts';
import { type GraphQLSchema, specifiedDirectives } from 'graphql';
import { builder } from '../schema/builder.ts';
import { incrementalDirectives } from '../schema/incremental-delivery.ts';
import { inOrderOfUse } from '../schema/root-order.ts';
import type { Feature, GraphVariants, Serving } from '../seam/feature.ts';
import { checkFeatures } from './features.ts';
import { checkNames, withoutFeatures } from './without-features.ts';

checkFeatures(features);
for (const { joins = {} } of features) {
  for (const [name, join] of Object.entries(joins)) {
    if (features.some((feature) => feature.name === name)) await join();
  }
}
for (const { graph } of features) await graph?.();

/** By their features. */
export const variants = new Map<Feature, GraphVariants>();
for (const feature of features) {
  const found = await feature.variants?.();
  if (found) variants.set(feature, found);
}

/** The whole graph, printed in `schema.graphql`. Only this file builds it. */
export const schema = inOrderOfUse(
  builder.toSchema({ directives: [...specifiedDirectives, ...incrementalDirectives] }),
  features,
);

checkNames(schema, features);

// The first text of the documentation in GraphiQL. Pothos has no option for it.
schema.description = descriptionOf(features);

function descriptionOf(selected: readonly Feature[]): string {
  const everyday = selected.flatMap(({ everyday = [] }) => everyday.map((line) => `- ${line}\n`));
  return `The domains, purchases and account of a domain reseller.

Everyday operations, each with the field to begin with:

- search a name: \`searchDomains\`
- check a list of names: \`availabilities\`
- the price for some years: \`tld\` with \`quote\`
- register a domain: \`registerDomain\`
- a domain with its contacts: \`domain\`
- change name servers: \`setNameServers\`
${everyday.join('')}
\`gateway\` has your scopes and limits. The description of a field has its upstream calls. \`extensions.cost\` has the calls
that were estimated before the execution.
A mutation returns its failures in \`errors\`: \`executed\` is whether the registrar may have acted, and \`retryable\` whether a
repetition can help.`;
}

/** The graph that a gateway with these settings serves, without the features that are not selected. */
export function servedSchema(serving: Serving, selected: readonly Feature[]): GraphQLSchema {
  const leftOut = features.filter((feature) => !selected.includes(feature));
  return selected.reduce(
    (graph, feature) => variants.get(feature)?.serve(graph, serving) ?? graph,
    leftOut.length > 0 ? remaining(selected, leftOut) : schema,
  );
}

function remaining(selected: readonly Feature[], leftOut: readonly Feature[]): GraphQLSchema {
  // The types of a topic may follow from other fields now.
  const graph = inOrderOfUse(withoutFeatures(schema, leftOut), selected);
  graph.description = descriptionOf(selected);
  return graph;
}
