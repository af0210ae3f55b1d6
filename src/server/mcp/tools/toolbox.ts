import type { ApprovalRules } from '../../../kernel/approval-rules.ts';
import { type Caller, forbidden, mayAny } from '../../../kernel/caller.ts';
import { invalidInput } from '../../../kernel/faults.ts';
import { parseJson } from '../../../lib/json.ts';
import { toGraphQLError } from '../../graphql/exchange.ts';
import type { HttpRequest } from '../../http/http-request.ts';
import { approvalAddress } from '../../http/sign-in.ts';
import { createChangeTools } from './change-tools.ts';
import type { Handles } from './handle.ts';
import { type JsonSchema, type ObjectSchema, variablesSchema } from './json-schema.ts';
import { createPurchaseTools } from './purchase-tools.ts';
import { type ReadTool, readTools } from './read-tools.ts';
import type { Arguments, ListedTool, Tool } from './tool.ts';
import { type DocumentOptions, prepareDocument, toolErrorOf } from './tool-document.ts';
import { failedResult, type ToolError, type ToolResult, toolResult } from './tool-result.ts';

export type Toolbox = ReturnType<typeof createToolbox>;

/** Prepares the tools. `handles` is null without the tools that write. `rulesOf` returns the approval rules in force. */
export function createToolbox(
  options: DocumentOptions,
  handles: Handles | null,
  rulesOf: (caller: Caller) => ApprovalRules | null,
) {
  const { rules } = options;
  const all = [
    ...Object.entries(readTools).map(([name, tool]) => prepareRead(options, name, tool)),
    ...(handles
      ? [...createPurchaseTools(options, handles), ...createChangeTools(options, handles)]
      : []),
  ];
  const tools = new Map(all.map((tool) => [tool.name, tool]));
  return {
    /** The tools that the caller may call. */
    list: (caller: Caller): readonly ListedTool[] =>
      all
        .filter(({ needed }) => missingOf(caller, needed) === undefined)
        .map(({ needed: _needed, run: _run, ...listed }) =>
          listed.annotations.destructiveHint && rulesOf(caller)?.isForTools
            ? { ...listed, description: `${listed.description} ${mayNeedApproval}` }
            : listed,
        ),
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
        const absent = missingIn(tool.inputSchema, args);
        if (absent.length > 0) throw invalidInput(missingText(absent));
        return await tool.run(request, readLists(tool.inputSchema, args) as Arguments);
      } catch (error) {
        const { errors = [] } = rules.finishResult({ errors: [toGraphQLError(error)] }, request);
        return failedResult(errors.map(toolErrorOf), [], ownSentence);
      }
    },
  };
}

const mayNeedApproval =
  'Another person may have to approve it first: the result then has the address of the page.';

/** The messages of faults of this folder do not repeat arguments. */
const ownSentence = ({ code, message }: ToolError): string => `${code}: ${message}`;

const missingOf = (caller: Caller, needed: Tool['needed']) =>
  needed.find((scopes) => !mayAny(caller, scopes));

function prepareRead(options: DocumentOptions, name: string, tool: ReadTool): Tool {
  const { title, description, asksRegistrar, document: source, bounds = {} } = tool;
  const { operation, needed, run } = prepareDocument(options, source);
  return {
    name,
    title,
    description,
    needed,
    annotations: { readOnlyHint: true, ...(!asksRegistrar && { openWorldHint: false }) },
    inputSchema: variablesSchema(options.schema, operation, bounds),
    async run(request, args) {
      const { data, errors } = await run(request, tool.variables?.(args) ?? args);
      // The first member is what the tool reads.
      const [main = null] = Object.values(data ?? {});
      if (errors.length > 0 && main === null) return failedResult(errors);
      const notes =
        main === null
          ? [nothingFound]
          : (tool.notes?.({ ...data }, (id) => approvalAddress(request, id)) ?? []);
      return errors.length === 0
        ? toolResult({ ...data }, notes)
        : toolResult({ ...data, errors }, [partly, ...notes]);
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
function readLists(schema: JsonSchema | undefined, value: unknown, path = ''): unknown {
  if (schema?.type === 'array' && typeof value === 'string' && value.trimStart().startsWith('[')) {
    const list = parseJson(value);
    if (Array.isArray(list)) return readLists(schema, list, path);
    throw invalidInput(`"${path}" is no list; send a JSON array such as ["maple-field.com"].`);
  }
  if (schema?.type === 'array' && (schema.items as JsonSchema | undefined)?.type === 'string') {
    if (Array.isArray(value)) return value.flatMap(apart);
    const items = apart(value);
    return items.length > 1 ? items : value;
  }
  if (schema?.type !== 'object' || !isObject(value)) return value;
  const { properties } = schema as ObjectSchema;
  const below = path === '' ? '' : `${path}.`;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      readLists(properties[name], member, below + name),
    ]),
  );
}

/** The items of a text that has several with commas or semicolons, or several names with blanks; a label of a search may have blanks. */
function apart(item: unknown): readonly unknown[] {
  if (typeof item !== 'string') return [item];
  const items = item.split(/[,;，；、]/).flatMap((part) => {
    const words = part.split(/\s+/).filter((word) => word !== '');
    return words.every((word) => word.includes('.')) ? words : [part.trim()];
  });
  return items.length > 0 ? items : [item];
}

/**
 * The paths of the arguments that are required and missing, also in objects. The graph checks the values.
 *
 * @throws Fault `INVALID_INPUT` for an argument that the tool does not have.
 */
function missingIn(schema: ObjectSchema, args: object, path = ''): readonly string[] {
  const { properties, required = [] } = schema;
  const given = Object.entries(args);
  if (given.some(([name]) => !Object.hasOwn(properties, name))) {
    const names = Object.keys(properties).map((name) => path + name);
    throw invalidInput(
      `This tool does not have such an argument. The arguments are: ${names.join(', ') || 'none'}.`,
    );
  }
  const isGiven = new Set(given.flatMap(([name, value]) => (value === null ? [] : [name])));
  return [
    ...required.filter((name) => !isGiven.has(name)).map((name) => path + name),
    ...given.flatMap(([name, value]) => {
      const own = properties[name];
      return own?.type === 'object' && isObject(value)
        ? missingIn(own as ObjectSchema, value, `${path}${name}.`)
        : [];
    }),
  ];
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const missingText = (paths: readonly string[]) =>
  `Missing arguments: ${paths.join(', ')}. Ask the user for values that you do not know.`;
