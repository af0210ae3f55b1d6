import {
  type DocumentNode,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  parse,
  print,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import type { AccessScope } from '../../../kernel/caller.ts';
import type { DocumentReader } from '../../graphql/documents.ts';
import type { Rules } from '../../graphql/rule.ts';
import type { OperationRunner } from '../../graphql/run-operation.ts';
import type { HttpRequest } from '../../http/http-request.ts';
import type { ToolError } from './tool-result.ts';

export interface DocumentOptions {
  readonly schema: GraphQLSchema;
  /** The prefix of the names of types; may be empty. */
  readonly typePrefix: string;
  readonly rules: Rules;
  readonly readDocument: DocumentReader;
  readonly runOperation: OperationRunner;
}

type Data = Readonly<Record<string, unknown>>;

/** The data of an operation, null when there is none, and its errors. */
interface ToolOutcome {
  readonly data: Data | null;
  readonly errors: readonly ToolError[];
}

/** A document of a tool, with one operation. */
interface ToolDocument {
  readonly operation: OperationDefinitionNode;
  /** For each of its fields that needs a scope, the scopes of which a caller needs one. */
  readonly needed: readonly (readonly AccessScope[])[];
  run(request: HttpRequest, variables: Readonly<Record<string, unknown>>): Promise<ToolOutcome>;
}

/** Reads a document of this folder. @throws Error when it is not valid, which is a bug. */
export function prepareDocument(options: DocumentOptions, source: string): ToolDocument {
  const { schema, rules, readDocument, runOperation } = options;
  const text = print(withTypePrefix(options, source));
  const read = readDocument(text, undefined);
  if ('errors' in read) throw new Error(`A document of a tool is not valid: ${read.errors[0]}`);
  const { document, operation } = read;
  return {
    operation,
    needed: neededOf(schema, operation),
    async run(request, variables) {
      const run = await runOperation(request, { document, operation, text, variables });
      if ('refusal' in run) {
        const { errors } = rules.finishResult({ errors: run.refusal }, request);
        return { data: null, errors: (errors ?? []).map(toolErrorOf) };
      }
      const { data } = JSON.parse(run.text) as { data: Data | null };
      return { data, errors: (run.result.errors ?? []).map(toolErrorOf) };
    },
  };
}

/** The document with the names that types have in this graph. */
function withTypePrefix({ schema, typePrefix }: DocumentOptions, source: string): DocumentNode {
  const parsed = parse(source);
  const NamedType = ({ name }: { readonly name: { readonly value: string } }) => {
    if (schema.getType(name.value)) return undefined;
    const prefixed = { kind: Kind.NAME, value: `${typePrefix}${name.value}` };
    return { kind: Kind.NAMED_TYPE, name: prefixed };
  };
  return typePrefix === '' ? parsed : visit(parsed, { NamedType });
}

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

/** An error as `maskErrors` reports it. */
export function toolErrorOf({
  message,
  extensions,
}: {
  readonly message: string;
  readonly extensions: Readonly<Record<string, unknown>>;
}): ToolError {
  const { code, category, executed, retryable, requestId, upstreamMessage } = extensions;
  return {
    code: String(code),
    category,
    message,
    executed: String(executed),
    retryable: retryable === true,
    requestId,
    ...(upstreamMessage !== undefined && { upstreamMessage }),
  };
}
