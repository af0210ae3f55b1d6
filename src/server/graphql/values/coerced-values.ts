import {
  type FieldNode,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLSchema,
  getArgumentValues,
  isNonNullType,
  Kind,
  type OperationDefinitionNode,
  type TypeNode,
  type ValueNode,
  valueFromAST,
} from 'graphql';
import {
  type CoercedVariables,
  defaultOf,
  readVariables,
  variableValuesOf,
} from '../../../lib/graphql-js.ts';

type CoercedValues = Readonly<Record<string, unknown>>;

/** For a value that `getArgumentValues` of graphql-js has to coerce or refuse. */
const unusual = Symbol('unusual');

/**
 * Creates the function that coerces the arguments of a field. The result is that of `getArgumentValues`, which examines the
 * definition and the node of each argument in each call. The result is a new object, and so is each constant list or object in it.
 *
 * @throws GraphQLError when an argument is invalid.
 */
export function createArgumentReader(field: GraphQLField<unknown, unknown>, node: FieldNode) {
  const given = new Map(node.arguments?.map(({ name, value }) => [name.value, value]));
  const readers = field.args.map((argument) => ({
    name: argument.name,
    read: readerOf(argument, given.get(argument.name)),
  }));
  return (variables: CoercedValues): Record<string, unknown> => {
    const values: Record<string, unknown> = {};
    for (const { name, read } of readers) {
      const value = read(variables);
      if (value === unusual) return getArgumentValues(field, node, variableValuesOf(variables));
      if (value !== undefined) values[name] = value;
    }
    return values;
  };
}

function readerOf(argument: GraphQLArgument, node: ValueNode | undefined) {
  const { type } = argument;
  if (!node) {
    const defaultValue = defaultOf(argument);
    const absent = defaultValue === undefined && isNonNullType(type) ? unusual : defaultValue;
    return () => absent;
  }
  if (node.kind === Kind.VARIABLE) {
    const { value: name } = node.name;
    return (variables: CoercedValues) =>
      Object.hasOwn(variables, name) ? (variables[name] ?? unusual) : unusual;
  }
  if (containsVariable(node)) return () => unusual;
  const value: unknown = valueFromAST(node, type);
  if (Object(value) === value) return () => valueFromAST(node, type);
  return () => (value === undefined ? unusual : value);
}

function containsVariable(node: ValueNode): boolean {
  if (node.kind === Kind.LIST) return node.values.some(containsVariable);
  if (node.kind === Kind.OBJECT) return node.fields.some(({ value }) => containsVariable(value));
  return node.kind === Kind.VARIABLE;
}

/** The limit of `execute` of graphql-js. */
const maxErrors = 50;

/** The variables of an operation as its resolvers receive them, or the errors with which `execute` refuses it. */
export function coerceVariables(
  schema: GraphQLSchema,
  { variableDefinitions = [] }: OperationDefinitionNode,
  variables: CoercedValues | null | undefined,
): CoercedVariables {
  const coerced: Record<string, unknown> = {};
  for (const { variable, type } of variableDefinitions) {
    const name = variable.name.value;
    const value = variables?.[name];
    if (!isText(type, value)) {
      return readVariables(schema, variableDefinitions, variables ?? {}, { maxErrors });
    }
    coerced[name] = value;
  }
  return { coerced };
}

/** Whether a value is a string, or a list of strings, of this type: coercion does not change it. */
function isText(type: TypeNode, value: unknown): boolean {
  if (type.kind === Kind.NON_NULL_TYPE) return isText(type.type, value);
  if (type.kind === Kind.NAMED_TYPE)
    return typeof value === 'string' && type.name.value === 'String';
  return Array.isArray(value) && value.every((item) => isText(type.type, item));
}
