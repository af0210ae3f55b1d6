import { systemRandomness } from '../../src/lib/system.ts';
import { schema } from '../../src/modules/index.ts';
import { createDocuments } from '../../src/server/graphql/documents.ts';
import { Rules } from '../../src/server/graphql/rule.ts';
import type { OperationRunner } from '../../src/server/graphql/run-operation.ts';
import { createTokens } from '../../src/server/mcp/tools/token.ts';
import { createToolbox } from '../../src/server/mcp/tools/toolbox.ts';
import { servedGraph } from '../../src/supergraph/served-graph.ts';
import { createSimulatedClock } from '../support/simulated-clock.ts';

const unused = () => {
  throw new Error('Nothing is executed.');
};

/** The tools over the whole graph, without a gateway; creating them validates each document. */
export function toolboxOf({
  typePrefix = '',
  rules = new Rules([]),
  runOperation = unused,
}: {
  readonly typePrefix?: string;
  readonly rules?: Rules;
  readonly runOperation?: OperationRunner;
} = {}) {
  const graph = servedGraph(schema, { typePrefix, isSubgraph: false, development: false });
  const readDocument = createDocuments(graph, false).read;
  const tokens = createTokens('a secret', createSimulatedClock().clock, systemRandomness);
  return createToolbox({ schema: graph, typePrefix, rules, readDocument, runOperation }, tokens);
}
