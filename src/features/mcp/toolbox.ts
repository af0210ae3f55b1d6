import { type Caller, forbidden, mayAny } from '../../kernel/caller.ts';
import type { FeatureTools } from '../../seam/feature.ts';
import { toGraphQLError } from '../../server/graphql/exchange.ts';
import type { Operations } from '../../server/graphql/run-operation.ts';
import type { HttpRequest } from '../../server/http/http-request.ts';
import type { Handles } from './handle.ts';
import { readArguments, variablesSchema, withValue, type Arguments } from './json-schema.ts';
import { approvalAddress } from './notes.ts';
import { createPurchaseTools } from './purchase-tools.ts';
import { gatewayTool, readTools } from './read-tools.ts';
import type { ListedTool, ReadTool, Tool } from './tool.ts';
import { prepareDocument, toolErrorOf } from './tool-document.ts';
import { failedResult, type ToolResult, toolResult } from './tool-result.ts';

export type Toolbox = ReturnType<typeof createToolbox>;

/** Prepares the tools. `handles` is null without the tools that write. `holdsTools` is whether requests of tools can be held. */
export function createToolbox(
  options: Operations,
  handles: Handles | null,
  holdsTools: (caller: Caller) => boolean,
  ofFeatures: readonly FeatureTools[],
) {
  const { rules } = options;
  const all = [
    ...[readTools, ...ofFeatures.map(({ reading = {} }) => reading), { gateway: gatewayTool }]
      .flatMap((tools) => Object.entries(tools))
      .map(([name, tool]) => prepareRead(options, name, tool, handles !== null)),
    ...(handles
      ? [
          createPurchaseTools,
          ...ofFeatures.flatMap(({ createWriting }) => createWriting ?? []),
        ].flatMap((create) => create(options, handles))
      : []),
  ];
  const tools = new Map(all.map((tool) => [tool.name, tool]));
  return {
    writes: handles !== null,
    /** The tools that the caller may call. */
    list: (caller: Caller): readonly ListedTool[] =>
      all
        .filter(({ needed }) => missingOf(caller, needed) === undefined)
        .map(({ name, title, description, annotations, ...tool }) => ({
          ...{ name, title },
          description:
            annotations.destructiveHint && holdsTools(caller)
              ? `${description} ${mayBeHeld}`
              : description,
          annotations,
          inputSchema: { ...(tool.listedSchema ?? tool.inputSchema), additionalProperties: false },
        })),
    /** As `needed` of the tool; empty for one that does not exist. */
    neededBy: (name: string): Tool['needed'] => tools.get(name)?.needed ?? [],
    /** Null for a tool that does not exist. Every other failure is a result. */
    async call(request: HttpRequest, name: string, args: Arguments): Promise<ToolResult | null> {
      const tool = tools.get(name);
      if (!tool) return null;
      request.tool = name;
      try {
        const missing = missingOf(request.caller, tool.needed);
        if (missing) throw forbidden(request.caller, missing);
        return await tool.run(request, readArguments(tool.inputSchema, args));
      } catch (error) {
        const { errors = [] } = rules.finishResult({ errors: [toGraphQLError(error)] }, request);
        return failedResult(errors.map((one) => ({ ...toolErrorOf(one), isOwn: true })));
      }
    },
  };
}

const mayBeHeld =
  'Another person may have to approve it first: the result then has the address of the page.';

const missingOf = (caller: Caller, needed: Tool['needed']) =>
  needed.find((scopes) => !mayAny(caller, scopes));

function prepareRead(options: Operations, name: string, tool: ReadTool, writes: boolean): Tool {
  const { title, description, isLocal, document: source, bounds = {} } = tool;
  const { operation, needed, run } = prepareDocument(options, source);
  const inputSchema = variablesSchema(options.schema, operation, { bounds });
  return {
    name,
    title,
    description,
    needed,
    annotations: { readOnlyHint: true, ...(isLocal && { openWorldHint: false }) },
    inputSchema,
    // Another tool lists the values, and a refusal.
    ...(tool.briefly && { listedSchema: withValue(inputSchema, 'enum', undefined) }),
    async run(request, args) {
      const { data, main, errors } = await run(request, tool.variables?.(args) ?? args);
      if (errors.length > 0 && main === null) return failedResult(errors);
      if (main === null) return toolResult({}, [tool.absent ?? nothingFound]);
      const addressOf = (id: string) => approvalAddress(request, id);
      const notes = tool.notes?.({ ...data }, addressOf, args, writes) ?? [];
      return errors.length === 0
        ? toolResult({ ...data }, notes, false, tool.limits)
        : toolResult({ ...data, errors }, [partly, ...notes], false, tool.limits);
    },
  };
}

const nothingFound = 'Nothing was found.';
const partly = 'Some values could not be read; see `errors`.';
