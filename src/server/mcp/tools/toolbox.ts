import { type Caller, forbidden, mayAny } from '../../../kernel/caller.ts';
import { invalidInput } from '../../../kernel/faults.ts';
import { parseJson } from '../../../lib/json.ts';
import { quoted } from '../../../lib/quoted.ts';
import { toGraphQLError } from '../../graphql/exchange.ts';
import type { HttpRequest } from '../../http/http-request.ts';
import { type JsonSchema, type ObjectSchema, variablesSchema } from './json-schema.ts';
import type { PurchaseTokens } from './purchase-token.ts';
import { createPurchaseTools } from './purchase-tools.ts';
import { type ReadTool, readTools } from './read-tools.ts';
import type { Arguments, ListedTool, Tool } from './tool.ts';
import { type DocumentOptions, prepareDocument, toolErrorOf } from './tool-document.ts';
import { commonProperties, failedResult, type ToolResult, toolResult } from './tool-result.ts';

export type Toolbox = ReturnType<typeof createToolbox>;

/** Prepares the tools. `tokens` is null without the tools that buy. */
export function createToolbox(options: DocumentOptions, tokens: PurchaseTokens | null) {
  const { rules } = options;
  const all = [
    ...Object.entries(readTools).map(([name, tool]) => prepareRead(options, name, tool)),
    ...(tokens ? createPurchaseTools(options, tokens) : []),
  ];
  const tools = new Map(all.map((tool) => [tool.name, tool]));
  return {
    /** The tools that the caller may call. */
    list: (caller: Caller): readonly ListedTool[] =>
      all
        .filter(({ needed }) => missingOf(caller, needed) === undefined)
        .map(({ needed: _needed, run: _run, ...listed }) => listed),
    /** As `needed` of the tool; empty for one that does not exist. */
    neededBy: (name: string): Tool['needed'] => tools.get(name)?.needed ?? [],
    /** Null for a tool that does not exist. Every other failure is a result. */
    async call(request: HttpRequest, name: string, args: Arguments): Promise<ToolResult | null> {
      const tool = tools.get(name);
      if (!tool) return null;
      request.tool = name;
      try {
        const missing = missingOf(request.caller, tool.needed);
        if (missing) throw forbidden(missing);
        checkNames(tool.inputSchema, args);
        return await tool.run(request, readLists(tool.inputSchema, args) as Arguments);
      } catch (error) {
        const { errors = [] } = rules.finishResult({ errors: [toGraphQLError(error)] }, request);
        return failedResult(errors.map(toolErrorOf));
      }
    },
  };
}

const missingOf = (caller: Caller, needed: Tool['needed']) =>
  needed.find((scopes) => !mayAny(caller, scopes));

function prepareRead(
  options: DocumentOptions,
  name: string,
  { title, description, asksRegistrar, document: source, bounds = {} }: ReadTool,
): Tool {
  const document = prepareDocument(options, source);
  const { operation, needed, dataSchema } = document;
  return {
    name,
    title,
    description,
    needed,
    annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: asksRegistrar },
    inputSchema: variablesSchema(options.schema, operation, bounds),
    outputSchema: { type: 'object', properties: { ...dataSchema.properties, ...commonProperties } },
    async run(request, args) {
      const { data, errors } = await document.run(request, args);
      const isEmpty = Object.values(data ?? {}).every((member) => member === null);
      if (errors.length > 0 && isEmpty) return failedResult(errors);
      if (errors.length === 0) return toolResult({ ...data }, isEmpty ? [nothingFound] : []);
      return toolResult({ ...data, errors }, [partly]);
    },
  };
}

const nothingFound = 'Nothing was found.';
const partly = 'Some values could not be read; see `errors`.';

/**
 * The value with its lists, of which models send some as JSON text. The graph would take such a text for one item.
 *
 * @throws Fault `INVALID_INPUT` for a text that begins as a list and is none.
 */
function readLists(schema: JsonSchema | undefined, value: unknown): unknown {
  if (schema?.type === 'array' && typeof value === 'string' && value.trimStart().startsWith('[')) {
    const list = parseJson(value);
    if (Array.isArray(list)) return list;
    throw invalidInput(
      `${quoted(value)} is no list; send a JSON array such as ["maple-field.com"].`,
    );
  }
  if (schema?.type !== 'object' || typeof value !== 'object' || value === null) return value;
  const { properties } = schema as ObjectSchema;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, readLists(properties[name], member)]),
  );
}

/** @throws Fault `INVALID_INPUT` for an argument that the tool does not have. The graph checks the values. */
function checkNames({ properties }: ObjectSchema, args: Arguments): void {
  const unknown = Object.keys(args).find((name) => !Object.hasOwn(properties, name));
  if (unknown === undefined) return;
  const names = Object.keys(properties).join(', ') || 'none';
  throw invalidInput(
    `${JSON.stringify(unknown.slice(0, 40))} is not an argument of this tool; its arguments are: ${names}.`,
  );
}
