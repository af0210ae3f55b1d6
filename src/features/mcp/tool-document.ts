import {
  type DocumentNode,
  type GraphQLError,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  parse,
  print,
  TypeInfo,
  type ValueNode,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import type { AccessScope } from '../../kernel/caller.ts';
import { servedTypeName } from '../../kernel/schema-extensions.ts';
import type { Operations } from '../../server/graphql/run-operation.ts';
import type { HttpRequest } from '../../server/http/http-request.ts';
import type { Arguments } from './json-schema.ts';
import { aboutRequest, type PayloadError, type ToolError } from './tool-result.ts';

type Data = Readonly<Record<string, unknown>>;

/** The data of an operation and its first member, null when there is none, and its errors. */
interface ToolOutcome<Main> {
  readonly data: Data | null;
  readonly main: Main | null;
  readonly errors: readonly ToolError[];
}

/** Reads a document of this folder, with one operation. @throws Error when it is not valid, which is a bug. */
export function prepareDocument(options: Operations, source: string) {
  const { schema, rules, readDocument, runOperation } = options;
  const text = print(withoutMissing(schema, withServedTypes(schema, source)));
  const read = readDocument(text, undefined);
  if ('errors' in read) throw new Error(`A document of a tool is not valid: ${read.errors[0]}`);
  const { document, operation } = read;
  const argumentOf = argumentReader(operation);
  const errorOf = (error: GraphQLError): ToolError => ({
    ...toolErrorOf(error),
    ...argumentOf((error.extensions.inputPath ?? []) as readonly string[]),
  });
  return {
    operation,
    needed: neededOf(schema, operation),
    async run<Main>(request: HttpRequest, variables: Arguments): Promise<ToolOutcome<Main>> {
      const run = await runOperation(request, { document, operation, text, variables });
      if ('refusal' in run) {
        const { errors } = rules.finishResult({ errors: run.refusal }, request);
        return { data: null, main: null, errors: (errors ?? []).map(errorOf) };
      }
      const { data } = JSON.parse(run.text) as { data: Data | null };
      const [main = null] = Object.values(data ?? {}) as Main[];
      return { data, main, errors: (run.result.errors ?? []).map(errorOf) };
    },
    /** The errors of a payload with the argument that the path of each leads to. */
    named: (errors: readonly PayloadError[]): readonly ToolError[] =>
      errors.map(({ path, ...error }) => ({ ...error, ...argumentOf(path ?? []) })),
  };
}

/** The document with the names that types have in this graph. */
function withServedTypes(schema: GraphQLSchema, source: string): DocumentNode {
  const NamedType = ({ name }: { readonly name: { readonly value: string } }) => {
    if (schema.getType(name.value)) return undefined;
    const served = { kind: Kind.NAME, value: servedTypeName(schema, name.value) };
    return { kind: Kind.NAMED_TYPE, name: served };
  };
  return visit(parse(source), { NamedType });
}

/** The fields of features that documents of the core select. */
const ofFeatures: readonly string[] = ['approval', 'needsApproval'];

/** The document without those fields of features that this graph does not have. */
function withoutMissing(schema: GraphQLSchema, document: DocumentNode): DocumentNode {
  const types = new TypeInfo(schema);
  const Field = ({ name }: { readonly name: { readonly value: string } }) =>
    ofFeatures.includes(name.value) && !types.getFieldDef() ? null : undefined;
  return visit(document, visitWithTypeInfo(types, { Field }));
}

/** For each field that needs a scope, the scopes of which a caller needs one. */
function neededOf(schema: GraphQLSchema, operation: OperationDefinitionNode) {
  const needed: (readonly AccessScope[])[] = [];
  const types = new TypeInfo(schema);
  const Field = () => {
    const scopes = types.getFieldDef()?.extensions.access as readonly AccessScope[] | undefined;
    if (scopes?.length) needed.push(scopes);
  };
  visit(operation, visitWithTypeInfo(types, { Field }));
  return needed;
}

/** Returns the function that finds the argument of a tool, which is a variable, by a path in the arguments of a field. */
function argumentReader(operation: OperationDefinitionNode) {
  const uses: { readonly path: readonly string[]; readonly name: string }[] = [];
  const read = (value: ValueNode, path: readonly string[]): void => {
    if (value.kind === Kind.VARIABLE) uses.push({ path, name: value.name.value });
    if (value.kind !== Kind.OBJECT) return;
    for (const { name, value: member } of value.fields) read(member, [...path, name.value]);
  };
  visit(operation, { Argument: ({ name, value }) => read(value, [name.value]) });
  return (found: readonly string[]): { readonly argument?: string } => {
    const use = uses.find(({ path }) => path.every((name, at) => found[at] === name));
    if (!use || use.name === 'input') return {};
    const below = found.slice(use.path.length);
    const argument = [use.name, ...below].join('.').replace(/\.(\d+)(?=\.|$)/g, '[$1]');
    return { argument: argument.replace(/^\w+\.(?=maxPrice\b)/, '') };
  };
}

/** An error as `maskErrors` reports it. */
export function toolErrorOf({
  message,
  extensions,
}: Pick<GraphQLError, 'message' | 'extensions'>): ToolError {
  const { code, category, executed, retryable, requestId, upstreamMessage } = extensions;
  return {
    code: String(code),
    message,
    executed: String(executed),
    retryable: retryable === true,
    ...(!aboutRequest.has(String(category)) && { requestId }),
    ...(upstreamMessage !== undefined && { upstreamMessage }),
  };
}
