// First: it adds the scopes and error codes of features.
import { features } from '../features/index.ts';
import '../modules/index.ts';
import { type GraphQLSchema, specifiedDirectives } from 'graphql';
import { builder } from '../schema/builder.ts';
import { incrementalDirectives } from '../schema/incremental-delivery.ts';
import type { LeftOut } from '../schema/left-out.ts';
import { inOrderOfUse } from '../schema/root-order.ts';
import type { Feature, GraphVariants, Serving } from '../seam/feature.ts';
import { rootFieldsOf } from './features.ts';

/** By the features that were loaded; null for a feature without variants. */
const loaded = new Map<Feature, GraphVariants | null>();

/**
 * Adds the types and fields of the features to the builder. A process that serves fewer features is smaller. The builder only
 * grows, so a later graph may have to leave out what an earlier one has.
 */
export async function loadGraph(selected: readonly Feature[]): Promise<void> {
  for (const { joins = {} } of selected) {
    for (const [name, join] of Object.entries(joins)) {
      if (selected.some((feature) => feature.name === name)) await join();
    }
  }
  for (const feature of selected) {
    await feature.graph?.();
    loaded.set(feature, (await feature.variants?.()) ?? null);
  }
}

/** By the names of their features. */
const graphs = new Map<string, GraphQLSchema>();

/** The graph that a gateway with these settings serves. `loadGraph` was called with the features. */
export function servedSchema(serving: Serving, selected: readonly Feature[]): GraphQLSchema {
  return selected.reduce(
    (graph, feature) => loaded.get(feature)?.serve(graph, serving) ?? graph,
    graphOf(selected),
  );
}

function graphOf(selected: readonly Feature[]): GraphQLSchema {
  const names = selected.map(({ name }) => name).join();
  const graph = graphs.get(names) ?? buildGraph(selected);
  graphs.set(names, graph);
  return graph;
}

function buildGraph(selected: readonly Feature[]): GraphQLSchema {
  const built = builder.toSchema({
    directives: [...specifiedDirectives, ...incrementalDirectives],
    leftOut: leftOutOf(features.filter((feature) => !selected.includes(feature))),
  });
  const graph = inOrderOfUse(built, selected);
  // The first text of the documentation in GraphiQL. Pothos has no option for it.
  graph.description = descriptionOf(selected);
  return graph;
}

function leftOutOf(leftOut: readonly Feature[]): LeftOut {
  const ofEnums: Readonly<Record<string, ReadonlySet<string>>> = {
    ErrorCode: new Set(leftOut.flatMap(({ faults = {} }) => Object.keys(faults))),
    EventType: new Set(leftOut.flatMap(({ events = {} }) => Object.keys(events))),
  };
  const states = new Set(leftOut.flatMap(({ heldState = [] }) => heldState));
  const isAdded = (type: string, value: string) =>
    leftOut.some(({ enumValues = {} }) => value in (enumValues[type] ?? {}));
  return {
    types: new Set(leftOut.flatMap(({ nodes = [] }) => nodes)),
    fields: new Set(leftOut.flatMap(fieldsOf)),
    isValue: (type, value) =>
      ofEnums[type]?.has(value) ?? (states.has(value) || isAdded(type, value)),
  };
}

/** The fields of a feature, such as `Query.events` and `Domain.events`. */
export const fieldsOf = (feature: Feature): readonly string[] => [
  ...(feature.fields ?? []),
  ...rootFieldsOf(feature),
];

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

/** The SDL files of the variants that were loaded. */
export const sdlFilesOfVariants = () =>
  Object.assign({}, ...[...loaded.values()].map((variants) => variants?.sdlFiles));
