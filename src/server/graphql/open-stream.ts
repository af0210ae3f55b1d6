import {
  type DocumentNode,
  type GraphQLError,
  type GraphQLSchema,
  getDirectiveValues,
  Kind,
  type OperationDefinitionNode,
  OperationTypeNode,
} from 'graphql';
import { type CoercedVariables, variableValuesOf } from '../../lib/graphql-js.ts';
import { memoize } from '../../lib/lazy.ts';
import {
  compileOperation,
  completeValue,
  executePlan,
  isPending,
  type StreamedField,
} from './compiled/execute-query.ts';
import {
  type Completed,
  FieldInfo,
  type Path,
  QueryRun,
  type SelectionPlan,
  type Settled,
  type StreamedList,
  type ValuePlan,
  type WrittenResult,
} from './compiled/run.ts';
import { incrementalDirectives } from './delivery.ts';
import { toGraphQLError } from './exchange.ts';

/** One value of a stream, written. */
export interface WrittenValue extends WrittenResult {
  /** Whether its error ends the stream. */
  readonly isLast: boolean;
}

/** A list whose items are sent in parts. */
export interface OpenList {
  /** Its response name. */
  readonly name: string;
  /** That of its `@stream`; null without one. */
  readonly label: string | null;
  readonly values: OpenValues;
}

/** The values of a stream, and how each is completed. */
export interface OpenValues {
  /** The place of the first. */
  readonly from: number;
  readonly source: AsyncIterator<unknown>;
  readonly complete: (value: unknown, index: number) => WrittenValue | Promise<WrittenValue>;
  /** The end of a source that fails. */
  readonly fail: (cause: unknown, index: number) => WrittenValue;
}

interface Requested {
  readonly coerceVariables: () => CoercedVariables;
}

/** Opens the stream of one document. */
export type StreamPlan = (
  requested: Requested,
  context: unknown,
  isAbandoned: () => boolean,
) => Promise<Opened>;

type Opened =
  | { readonly errors: readonly GraphQLError[] }
  /** A result without later parts. */
  | { readonly whole: WrittenResult }
  | { readonly first: WrittenResult; readonly list: OpenList }
  /** The events of a subscription. */
  | { readonly events: OpenValues };

/**
 * Creates the function that plans the stream of a subscription, or of a query whose only directive is the `@stream` of a root field.
 * Null for any other document.
 */
export function createStreamPlanner(schema: GraphQLSchema) {
  const plansOf = memoize((document: DocumentNode) =>
    memoize((operation: OperationDefinitionNode) => ({
      plan:
        operation.operation === OperationTypeNode.SUBSCRIPTION
          ? planEvents(schema, document, operation)
          : planList(schema, document, operation),
    })),
  );
  return (document: DocumentNode, operation: OperationDefinitionNode): StreamPlan | null =>
    plansOf(document)(operation).plan;
}

function planList(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
): StreamPlan | null {
  const [directive, ...others] = incrementalDirectives(document);
  const fields = operation.selectionSet.selections.filter((one) => one.kind === Kind.FIELD);
  const node = directive && fields.find(({ directives = [] }) => directives.includes(directive));
  if (!node || others.length > 0 || operation.operation !== OperationTypeNode.QUERY) return null;
  const definition = schema.getDirective(directive.name.value);
  const valuesIn = (run: QueryRun) =>
    (definition && getDirectiveValues(definition, node, variableValuesOf(run.variables))) ?? {};
  const plan = compileOperation(schema, document, operation, {
    ...{ node, directive },
    completer: (item, whole) => completerOf(item, whole, valuesIn),
  });
  const streamed = plan?.find(({ info }) => info.fieldNodes.includes(node));
  // A list that is selected twice has items of both selections.
  if (!plan || streamed?.info.fieldNodes.length !== 1) return null;
  return async ({ coerceVariables }, context, isAbandoned) => {
    const { coerced, errors } = coerceVariables();
    if (!coerced) return { errors };
    const run = new QueryRun(context, coerced, isAbandoned);
    const first = await executePlan(run, plan);
    const { streamed: list } = run;
    if (!list) return { whole: first };
    if (!first.result.data) {
      // An error of another field has removed the list.
      await list.source.return?.();
      return { whole: first };
    }
    const { label } = valuesIn(run);
    const name = list.info.field.responseName;
    const values = valuesOf(list);
    return { first, list: { name, label: typeof label === 'string' ? label : null, values } };
  };
}

/** Completes a list with its first items; the run gets the others. */
const completerOf =
  (
    item: ValuePlan,
    whole: ValuePlan['complete'],
    valuesIn: (run: QueryRun) => Readonly<Record<string, unknown>>,
  ): ReturnType<StreamedField['completer']> =>
  (info, path, values) => {
    const { run } = info;
    const given = valuesIn(run);
    const source = given.if === false ? null : iteratorOf(values);
    if (!source) return whole(info, path, values);
    const from = Number(given.initialCount ?? 0);
    const streamRest = () => {
      run.streamed = { from, source, info, item };
    };
    if (from > 0) return readFirst(source, from, { info, item }, streamRest);
    streamRest();
    return '[]';
  };

/** The first items of a list. `onRest` is called unless the list has no more. */
async function readFirst(
  source: AsyncIterator<unknown>,
  count: number,
  list: Pick<StreamedList, 'info' | 'item'>,
  onRest: () => void,
): Promise<readonly Settled[]> {
  const first: Completed[] = [];
  try {
    for (let next = await source.next(); !next.done; next = await source.next()) {
      const completed = completeItem(list, next.value, first.length);
      // Nothing waits for it yet; its error must not end the process.
      if (isPending(completed)) completed.catch(() => undefined);
      first.push(completed);
      if (first.length < count) continue;
      const settled = await Promise.all(first);
      onRest();
      return settled;
    }
    return await Promise.all(first);
  } catch (error) {
    await source.return?.();
    throw error;
  }
}

/** @throws the error of an item that cannot be null. */
function completeItem(
  { info, item }: Pick<StreamedList, 'info' | 'item'>,
  value: unknown,
  key: number,
): Completed {
  const path = { prev: info, key, typename: undefined };
  try {
    return completeValue(info, path, item, value);
  } catch (error) {
    return info.run.fail(error, info, path, item.isNonNull);
  }
}

/** The items of a list; null for a value that is none. */
function iteratorOf(values: unknown): AsyncIterator<unknown> | null {
  if (typeof values !== 'object' || values === null) return null;
  if (Symbol.asyncIterator in values) {
    return (values as AsyncIterable<unknown>)[Symbol.asyncIterator]();
  }
  if (!(Symbol.iterator in values)) return null;
  const items = (values as Iterable<unknown>)[Symbol.iterator]();
  // Not an asynchronous generator, which would end at the first item that is a rejected promise.
  return { next: async () => items.next() };
}

/** The items after the first ones. Each has a run of its own, with its errors. */
function valuesOf({ from, source, info, item }: StreamedList): OpenValues {
  const {
    run: { context, variables, isAbandoned },
    field,
  } = info;
  const newInfo = () =>
    new FieldInfo(new QueryRun(context, variables, isAbandoned), field, undefined);
  const written = (info: FieldInfo, settled: Settled): WrittenValue => {
    const result = info.run.end(settled);
    return { ...result, isLast: item.isNonNull && result.result.data === null };
  };
  const failed = (info: FieldInfo, error: unknown): WrittenValue => ({
    ...info.run.endWith(error),
    isLast: true,
  });
  return {
    ...{ from, source },
    complete(value, index) {
      const info = newInfo();
      try {
        const completed = completeItem({ info, item }, value, index);
        if (!isPending(completed)) return written(info, completed);
        return completed.then(
          (settled) => written(info, settled),
          (error) => failed(info, error),
        );
      } catch (error) {
        return failed(info, error);
      }
    },
    fail(cause, key) {
      const info = newInfo();
      return failed(info, locatedAt(info, cause, { prev: info, key, typename: undefined }));
    },
  };
}

function locatedAt(info: FieldInfo, cause: unknown, path: Path): unknown {
  try {
    return info.run.fail(cause, info, path, true);
  } catch (error) {
    return error;
  }
}

function planEvents(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
): StreamPlan | null {
  const plan = compileOperation(schema, document, operation);
  const [field] = plan ?? [];
  if (!plan || !field) return null;
  const { subscribe } = field.info.parentType.getFields()[field.info.fieldName] ?? {};
  return async ({ coerceVariables }, context, isAbandoned) => {
    const { coerced, errors } = coerceVariables();
    if (!coerced) return { errors };
    const newRun = () => new QueryRun(context, coerced, isAbandoned);
    const info = new FieldInfo(newRun(), field, undefined);
    try {
      const given = field.readArguments(coerced);
      const events: unknown = await subscribe?.(undefined, given, context, info);
      if (events instanceof Error) throw events;
      return { events: eventsOf(events, plan, newRun) };
    } catch (error) {
      return { errors: [locatedAt(info, error, info) as GraphQLError] };
    }
  };
}

function eventsOf(events: unknown, plan: SelectionPlan, newRun: () => QueryRun): OpenValues {
  if (typeof events !== 'object' || events === null || !(Symbol.asyncIterator in events)) {
    throw new Error('A subscription has no asynchronous iterator.');
  }
  return {
    from: 0,
    source: (events as AsyncIterable<unknown>)[Symbol.asyncIterator](),
    complete: async (event) => ({ ...(await executePlan(newRun(), plan, event)), isLast: false }),
    fail: (cause) => ({ result: { errors: [toGraphQLError(cause)] }, dataText: '', isLast: true }),
  };
}
