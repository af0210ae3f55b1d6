import { schema } from '../../src/modules/index.ts';
import { createDocumentReader } from '../../src/server/graphql/documents.ts';
import { Rules } from '../../src/server/graphql/rule.ts';
import { createYogaPath } from '../../src/server/graphql/yoga-path.ts';
import { createPurchaseTokens } from '../../src/server/mcp/tools/purchase-token.ts';
import { createToolbox } from '../../src/server/mcp/tools/toolbox.ts';
import { servedGraph } from '../../src/supergraph/served-graph.ts';
import { createSimulatedClock } from '../support/simulated-clock.ts';

/** The tools over the whole graph; creating them validates each document. */
export function toolboxOf(typePrefix = '') {
  const graph = servedGraph(schema, { typePrefix, isSubgraph: false, development: false });
  const rules = new Rules([]);
  const unused = () => {
    throw new Error('Nothing is executed.');
  };
  const { envelop } = createYogaPath({
    ...{ schema: graph, rules, routes: {}, maxBodyBytes: 1, isIntrospectable: false },
    createScope: unused,
  });
  const readDocument = createDocumentReader(envelop);
  const tokens = createPurchaseTokens('a secret', createSimulatedClock().clock);
  return createToolbox(
    { schema: graph, typePrefix, rules, readDocument, runOperation: unused },
    tokens,
  );
}
