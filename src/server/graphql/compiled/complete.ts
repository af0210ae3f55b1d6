import {
  defaultTypeResolver,
  type GraphQLAbstractType,
  GraphQLError,
  type GraphQLLeafType,
  type GraphQLNullableType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLResolveInfo,
  isAbstractType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql';
import { completeValue, executeFields, isPending, isPromise, listText } from './execute-fields.ts';
import type { Completed, SelectionPlan, ValuePlan } from './plan.ts';
import type { Text } from './run.ts';

type Complete = ValuePlan['complete'];
type SelectionOn = (type: GraphQLObjectType) => SelectionPlan;

/** Plans how values of a type are completed. Bugs of the graph, which clients see as `INTERNAL`, have messages of their own. */
export function planValue(type: GraphQLOutputType, selectionOn: SelectionOn): ValuePlan {
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
