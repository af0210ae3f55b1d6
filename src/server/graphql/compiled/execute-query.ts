import { collectFields, collectSubFields } from '@graphql-tools/utils';
import {
  type ASTNode,
  type DirectiveNode,
  type DocumentNode,
  defaultFieldResolver,
  defaultTypeResolver,
  type FieldNode,
  type GraphQLAbstractType,
  GraphQLError,
  type GraphQLLeafType,
  type GraphQLNullableType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  getNullableType,
  isAbstractType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  OperationTypeNode,
  TypeNameMetaFieldDef,
  visit,
} from 'graphql';
import type { CoercedVariables } from '../../../lib/graphql-js.ts';
import { lazy, memoize } from '../../../lib/lazy.ts';
import { createArgumentReader } from '../values/coerced-values.ts';
import {
  type Completed,
  FieldInfo,
  type FieldPlan,
  type Path,
  QueryRun,
  type SelectionPlan,
  type Settled,
  type SharedInfo,
  type Text,
  type ValuePlan,
  type WrittenResult,
} from './run.ts';

// The order of calls, and the number of promises between them, are those of graphql-js: batches of loaders depend on both.

const isPromise = (value: unknown): value is Promise<unknown> =>
  ((typeof value === 'object' && value !== null) || typeof value === 'function') &&
  typeof (value as Partial<Promise<unknown>>).then === 'function';

export const isPending = (completed: Completed): completed is Promise<Settled> =>
  typeof completed === 'object' && completed !== null;

/** Executes the fields of an object. @throws the error of a field that cannot be null. */
function executeFields(
  run: QueryRun,
  selection: SelectionPlan,
  source: unknown,
  path: Path | undefined,
): Text | Promise<Text> {
  if (run.isAbandoned()) return '{}';
  // An array that grows from the first item on takes more memory than most objects need.
  const completed = new Array<Completed>(selection.length);
  let hasPending = false;
  try {
    for (let at = 0; at < selection.length; at += 1) {
      const value = executeField(run, selection[at] as FieldPlan, source, path);
      completed[at] = value;
      hasPending ||= isPending(value);
    }
  } catch (error) {
    if (!hasPending) throw error;
    // The object fails after the fields that have started, as their errors are reported too.
    return settle(selection, completed).finally(() => {
      throw error;
    });
  }
  return hasPending ? settle(selection, completed) : objectText(selection, completed as Text[]);
}

const settle = (selection: SelectionPlan, completed: readonly Completed[]): Promise<Text> =>
  Promise.all(completed).then((values) => objectText(selection, values));

function executeField(run: QueryRun, field: FieldPlan, source: unknown, prev?: Path): Completed {
  const info = new FieldInfo(run, field, prev);
  const { resolve } = field;
  try {
    const value = resolve(source, field.readArguments(run.variables), run.context, info);
    return completeValue(info, info, field, value);
  } catch (error) {
    return run.fail(error, info, info, field.isNonNull);
  }
}

/** Completes a value or a promise. @throws for a value that cannot be null. */
export function completeValue(
  info: FieldInfo,
  path: Path,
  { complete, isNonNull }: ValuePlan,
  value: unknown,
): Completed {
  const completed = isPromise(value)
    ? value.then((settled) => complete(info, path, settled))
    : complete(info, path, value);
  if (!isPending(completed)) return completed;
  return completed.then(undefined, (error) => info.run.fail(error, info, path, isNonNull));
}

function objectText(selection: SelectionPlan, values: readonly Settled[]): string {
  let text = '';
  for (let at = 0; at < values.length; at += 1) {
    const value = values[at];
    if (value === undefined) continue;
    text += `${text === '' ? '{' : ','}${selection[at]?.label}${textOf(value)}`;
  }
  return text === '' ? '{}' : `${text}}`;
}

const textOf = (value: Settled): Text =>
  typeof value === 'object' && value !== null ? listText(value) : value;

function listText(items: readonly Settled[]): string {
  let text = '';
  for (const item of items) text += `${text === '' ? '[' : ','}${textOf(item) ?? null}`;
  return text === '' ? '[]' : `${text}]`;
}

type Complete = ValuePlan['complete'];
type SelectionOn = (type: GraphQLObjectType) => SelectionPlan;

/** Plans how values of a type are completed. Bugs of the graph, which clients see as `INTERNAL`, have messages of their own. */
function planValue(type: GraphQLOutputType, selectionOn: SelectionOn): ValuePlan {
  const isNonNull = isNonNullType(type);
  const completePresent = completerOf(isNonNull ? type.ofType : type, selectionOn);
  const complete: Complete = (info, path, value) => {
    if (value instanceof Error) throw value;
    const isNull = value === null || value === undefined;
    const completed = isNull ? null : completePresent(info, path, value);
    if (completed !== null || !isNonNull) return completed;
    throw new Error(`Cannot return null for non-nullable field ${titleOf(info)}.`);
  };
  return { isNonNull, complete };
}

/** The plan of a list that is streamed. */
function planStreamed(
  whole: ValuePlan,
  type: GraphQLOutputType,
  selectionOn: SelectionOn,
  { completer }: StreamedField,
): ValuePlan {
  const list = getNullableType(type);
  if (!isListType(list)) return whole;
  const complete = completer(planValue(list.ofType, selectionOn), whole.complete);
  return { ...whole, complete };
}

const titleOf = ({ parentType, fieldName }: GraphQLResolveInfo) =>
  `${parentType.name}.${fieldName}`;

function completerOf(
  type: GraphQLNullableType & GraphQLOutputType,
  selectionOn: SelectionOn,
): Complete {
  if (isListType(type)) return listCompleter(planValue(type.ofType, selectionOn));
  if (isLeafType(type)) return leafCompleter(type);
  if (isAbstractType(type)) return abstractCompleter(type, selectionOn);
  return objectCompleter(type as GraphQLObjectType, selectionOn);
}

function leafCompleter(type: GraphQLLeafType): Complete {
  return (info, _path, value) => {
    const serialized: unknown = type.serialize(value);
    if (serialized === null || serialized === undefined) {
      throw new Error(`The type "${type}" serializes a value of a resolver to null.`);
    }
    return info.run.textOf(serialized);
  };
}

function listCompleter(item: ValuePlan): Complete {
  return (info, path, values) => {
    if (!isIterable(values)) {
      const message = `Expected Iterable, but did not find one for field "${titleOf(info)}".`;
      throw new GraphQLError(message);
    }
    const completed: Completed[] = [];
    try {
      for (const value of values) {
        const itemPath = { prev: path, key: completed.length, typename: undefined };
        try {
          completed.push(completeValue(info, itemPath, item, value));
        } catch (error) {
          completed.push(info.run.fail(error, info, itemPath, item.isNonNull));
        }
      }
    } catch (error) {
      // Nothing waits for the items that have started; their errors must not end the process.
      void Promise.allSettled(completed);
      throw error;
    }
    return completed.some(isPending) ? Promise.all(completed) : listText(completed as Text[]);
  };
}

const isIterable = (value: unknown): value is Iterable<unknown> =>
  typeof value === 'object' &&
  typeof (value as Partial<Iterable<unknown>> | null)?.[Symbol.iterator] === 'function';

function objectCompleter(type: GraphQLObjectType, selectionOn: SelectionOn): Complete {
  return (info, path, value) => {
    const execute = (isOfType: boolean) => {
      if (isOfType) return executeFields(info.run, selectionOn(type), value, path);
      throw new Error(`The value of field "${titleOf(info)}" is not of the type "${type}".`);
    };
    const isOfType = type.isTypeOf ? type.isTypeOf(value, info.run.context, info) : true;
    return isPromise(isOfType) ? isOfType.then(execute) : execute(isOfType);
  };
}

function abstractCompleter(type: GraphQLAbstractType, selectionOn: SelectionOn): Complete {
  const resolveType = type.resolveType ?? defaultTypeResolver;
  return (info, path, value) => {
    const complete = (name: unknown): Completed => {
      const found = typeof name === 'string' ? info.schema.getType(name) : undefined;
      if (isObjectType(found) && info.schema.isSubType(type, found)) {
        return objectCompleter(found, selectionOn)(info, path, value);
      }
      throw new Error(`No object type of "${type}" was resolved for field "${titleOf(info)}".`);
    };
    const name: unknown = resolveType(value, info.run.context, info, type);
    return isPromise(name) ? name.then(complete) : complete(name);
  };
}

interface Source extends Pick<SharedInfo, 'schema' | 'fragments' | 'operation' | 'rootValue'> {
  /** Completes the list of a root field that is streamed. */
  readonly streamed?: StreamedField | undefined;
}

/** A root field with `@stream`. */
export interface StreamedField {
  readonly node: FieldNode;
  readonly directive: DirectiveNode;
  /** `whole` completes all items at once. */
  readonly completer: (item: ValuePlan, whole: ValuePlan['complete']) => ValuePlan['complete'];
}

/** The plan of an operation of a valid document, or null when graphql-js has to execute it. */
export function compileOperation(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  streamed?: StreamedField,
): SelectionPlan | null {
  const type = schema.getRootType(operation.operation);
  if (!type || !isSupported(document, streamed?.directive)) return null;
  const definitions = document.definitions.filter((one) => one.kind === Kind.FRAGMENT_DEFINITION);
  const fragments = Object.fromEntries(definitions.map((one) => [one.name.value, one]));
  const source = { schema, fragments, operation, rootValue: undefined, streamed };
  const { fields } = collectFields(schema, fragments, noVariables, type, operation.selectionSet);
  return planFields(source, type, fields);
}

/** False for a document with other directives, or with introspection other than `__typename`. */
function isSupported(document: DocumentNode, known?: DirectiveNode): boolean {
  const others: ASTNode[] = [];
  visit(document, {
    Directive: (node) => void (node !== known && others.push(node)),
    Field: (node) => void (/^__(?!typename$)/.test(node.name.value) && others.push(node)),
  });
  return others.length === 0;
}

/** Without directives the selected fields do not depend on variables. */
const noVariables = {};

/** Plans the fields of an object type, by their response names. */
const planFields = (source: Source, type: GraphQLObjectType, fields: Map<string, FieldNode[]>) =>
  [...fields].flatMap(([name, nodes]) => planField(source, type, name, nodes) ?? []);

function planField(
  source: Source,
  parentType: GraphQLObjectType,
  responseName: string,
  nodes: FieldNode[],
): FieldPlan | null {
  const [node] = nodes;
  const fieldName = node?.name.value ?? '';
  const isTypeName = fieldName === TypeNameMetaFieldDef.name;
  const field = isTypeName ? TypeNameMetaFieldDef : parentType.getFields()[fieldName];
  if (!field || !node) return null;
  const { schema, fragments, streamed, ...shared } = source;
  // A selection is planned when the first object of its type is completed.
  const selectionOn = memoize((type: GraphQLObjectType) => {
    const { fields } = collectSubFields(schema, fragments, noVariables, type, nodes);
    return planFields(source, type, fields);
  });
  const plan = planValue(field.type, selectionOn);
  return {
    ...(streamed?.node === node ? planStreamed(plan, field.type, selectionOn, streamed) : plan),
    responseName,
    label: `${JSON.stringify(responseName)}:`,
    info: {
      ...shared,
      schema,
      fragments,
      fieldName,
      fieldNodes: nodes,
      returnType: field.type,
      parentType,
    },
    resolve: field.resolve ?? defaultFieldResolver,
    readArguments: createArgumentReader(field, node),
  };
}

interface CompiledRequest {
  readonly document: DocumentNode;
  readonly operation: OperationDefinitionNode;
  readonly coerceVariables: () => CoercedVariables;
}

/**
 * Creates the function that executes queries as `execute` of graphql-js does, and writes their data as JSON text. It returns
 * null for an operation that graphql-js has to execute. A query is compiled when it is executed for the second time: a document
 * that contains its values is seldom sent twice, and compiling takes longer than one execution.
 */
export function createQueryExecutor(schema: GraphQLSchema) {
  const plans = new WeakMap<OperationDefinitionNode, () => SelectionPlan | null>();
  return (
    requested: CompiledRequest,
    context: unknown,
    isAbandoned: () => boolean,
  ): Promise<WrittenResult> | null => {
    const { document, operation } = requested;
    const planOf = plans.get(operation);
    if (!planOf) {
      const isQuery = operation.operation === OperationTypeNode.QUERY;
      plans.set(
        operation,
        lazy(() => (isQuery ? compileOperation(schema, document, operation) : null)),
      );
      return null;
    }
    const plan = planOf();
    return plan && execute(plan, requested, context, isAbandoned);
  };
}

async function execute(
  plan: SelectionPlan,
  { coerceVariables }: CompiledRequest,
  context: unknown,
  isAbandoned: () => boolean,
): Promise<WrittenResult> {
  const { coerced, errors } = coerceVariables();
  if (!coerced) return { result: { errors }, dataText: '' };
  return executePlan(new QueryRun(context, coerced, isAbandoned), plan);
}

/** Executes the root fields on `source`: for a subscription the event. */
export async function executePlan(
  run: QueryRun,
  plan: SelectionPlan,
  source?: unknown,
): Promise<WrittenResult> {
  try {
    return run.end(await executeFields(run, plan, source, undefined));
  } catch (error) {
    return run.endWith(error);
  }
}
