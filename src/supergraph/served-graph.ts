import type { GraphQLSchema } from 'graphql';
import { asSubgraph } from './as-subgraph.ts';
import { withPrefix } from './with-prefix.ts';

export interface Serving {
  /** Before the name of every type; none where it is empty. */
  readonly typePrefix: string;
  /** Whether routers and stitching gateways find what they ask for. */
  readonly isSubgraph: boolean;
  /** Where the graph tells of itself, as by introspection. */
  readonly development: boolean;
}

/** The graph as this gateway serves it: as it is, unless a larger graph is to have it as a part. */
export function servedGraph(
  schema: GraphQLSchema,
  { typePrefix, isSubgraph, development }: Serving,
): GraphQLSchema {
  const own = withPrefix(schema, typePrefix);
  return isSubgraph ? asSubgraph(own, { prefix: typePrefix, showsSdl: development }) : own;
}
