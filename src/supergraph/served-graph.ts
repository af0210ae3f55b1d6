import type { GraphQLSchema } from 'graphql';
import { asSubgraph } from './as-subgraph.ts';
import { withPrefix } from './with-prefix.ts';

export interface Serving {
  /** The prefix of all type names; may be empty. */
  readonly typePrefix: string;
  /** Whether the graph has the root fields for routers and stitching gateways. */
  readonly isSubgraph: boolean;
  /** Whether clients may read the SDL, as by introspection. */
  readonly development: boolean;
}

/** The graph with the prefix and subgraph fields of the settings. */
export function servedGraph(
  schema: GraphQLSchema,
  { typePrefix, isSubgraph, development }: Serving,
): GraphQLSchema {
  const own = withPrefix(schema, typePrefix);
  return isSubgraph ? asSubgraph(own, { prefix: typePrefix, showsSdl: development }) : own;
}
