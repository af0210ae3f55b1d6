import { createSimulatedClock } from '../../../../test/support/simulated-clock.ts';
import { servedSchema } from '../../../app/graph.ts';
import { lazy } from '../../../lib/lazy.ts';
import type { Feature } from '../../../seam/feature.ts';
import { createDocuments } from '../../../server/graphql/documents.ts';
import { Rules } from '../../../server/graphql/rule.ts';
import type { OperationRunner, Operations } from '../../../server/graphql/run-operation.ts';
import { features } from '../../index.ts';
import { createHandles, type HandleDeps } from '../handle.ts';
import { createToolbox } from '../toolbox.ts';

const unused = () => {
  throw new Error('Nothing is executed.');
};

const toolsOf = (some: readonly Feature[]) =>
  Promise.all(some.flatMap(({ tools }) => tools?.() ?? []));

/** The tools of features. */
export const toolsOfFeatures = await toolsOf(features);

/** What handles need, in memory. */
export function handleDeps(): HandleDeps {
  const stored = new Map<string, { readonly tool: string; readonly input: string }>();
  const handles: HandleDeps['handles'] = {
    add: async (_account, handle) => void stored.set(handle.id, handle),
    find: async (_account, id) => stored.get(id) ?? null,
  };
  return { account: 'sandbox:demo', clock: createSimulatedClock().clock, handles };
}

function graphOf(typePrefix: string, selected = features) {
  const graph = servedSchema(
    { featureValues: { TYPE_PREFIX: typePrefix }, introspection: 'off' },
    selected,
  );
  return { graph, readDocument: createDocuments(graph, false).read };
}

/** Shared, because the tests create hundreds of toolboxes. */
const plainGraph = lazy(() => graphOf(''));

/** The tools over the whole graph, without a gateway; creating them validates each document once. */
export function toolboxOf({
  typePrefix = '',
  rules = new Rules([]),
  runOperation = unused,
}: {
  readonly typePrefix?: string;
  readonly rules?: Rules;
  readonly runOperation?: OperationRunner;
} = {}) {
  const served = typePrefix === '' ? plainGraph() : graphOf(typePrefix);
  return create(served, toolsOfFeatures, { rules, runOperation });
}

/** The tools of a gateway with these features only. */
export const toolboxWith = async (selected: readonly Feature[]) =>
  create(graphOf('', selected), await toolsOf(selected), {
    rules: new Rules([]),
    runOperation: unused,
  });

function create(
  { graph, readDocument }: ReturnType<typeof graphOf>,
  tools: typeof toolsOfFeatures,
  running: Pick<Operations, 'rules' | 'runOperation'>,
) {
  const deps = handleDeps();
  const handles = createHandles(() => deps);
  return createToolbox({ schema: graph, readDocument, ...running }, handles, () => false, tools);
}
