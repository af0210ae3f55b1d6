import {
  type GraphQLInputObjectType,
  type GraphQLSchema,
  type GraphQLType,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isRequiredInputField,
  Kind,
  type OperationDefinitionNode,
  TypeInfo,
  type TypeNode,
  typeFromAST,
  valueFromASTUntyped,
  visit,
  visitWithTypeInfo,
} from 'graphql';

/** A JSON Schema. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** The schema of an object. */
export interface ObjectSchema extends JsonSchema {
  readonly type: 'object';
  readonly properties: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
}

const jsonTypes: Readonly<Record<string, string>> = {
  Int: 'integer',
  Float: 'number',
  Boolean: 'boolean',
};

/**
 * The schema of the variables of an operation. Descriptions are those of the arguments and input fields that use the
 * variables. `bounds` has keywords such as `maximum` by variable, which the graph checks and does not describe.
 */
export function variablesSchema(
  schema: GraphQLSchema,
  operation: OperationDefinitionNode,
  bounds: Readonly<Record<string, JsonSchema>>,
): ObjectSchema {
  const descriptions = describeVariables(schema, operation);
  const definitions = operation.variableDefinitions ?? [];
  const properties = definitions.map(({ variable, type, defaultValue }) => {
    const { value: name } = variable.name;
    const description = descriptions.get(name);
    const rest = {
      ...(description && { description }),
      ...(defaultValue && { default: valueFromASTUntyped(defaultValue) }),
    };
    return [name, { ...inputSchema(inputTypeOf(schema, type)), ...rest, ...bounds[name] }] as const;
  });
  const isRequired = ({ type, defaultValue }: (typeof definitions)[number]) =>
    type.kind === Kind.NON_NULL_TYPE && !defaultValue;
  return objectSchema(
    properties,
    definitions.filter(isRequired).map(({ variable }) => variable.name.value),
  );
}

/** The schema of an input object, without some of its fields. */
export function inputObjectSchema(
  schema: GraphQLSchema,
  node: TypeNode,
  without: ReadonlySet<string>,
): JsonSchema {
  const type = getNamedType(inputTypeOf(schema, node));
  if (!isInputObjectType(type)) throw new Error(`${type} is not an input object.`);
  return inputFieldsSchema(type, without);
}

function inputTypeOf(schema: GraphQLSchema, node: TypeNode): GraphQLType {
  const type = typeFromAST(schema, node as never);
  if (!type) throw new Error('A tool has a variable of a type that the graph does not have.');
  return type;
}

function inputSchema(type: GraphQLType): JsonSchema {
  if (isNonNullType(type)) return inputSchema(type.ofType);
  if (isListType(type)) return { type: 'array', items: inputSchema(type.ofType) };
  if (isEnumType(type)) return { type: 'string', enum: type.getValues().map(({ name }) => name) };
  if (isInputObjectType(type)) return inputFieldsSchema(type);
  const { name } = getNamedType(type);
  // The name may have a prefix.
  return { type: name.endsWith('Decimal') ? ['string', 'number'] : (jsonTypes[name] ?? 'string') };
}

function inputFieldsSchema(
  type: GraphQLInputObjectType,
  without?: ReadonlySet<string>,
): JsonSchema {
  const fields = Object.values(type.getFields()).filter(({ name }) => !without?.has(name));
  const properties = fields.map(
    ({ name, type: ofField, description }) =>
      [name, { ...inputSchema(ofField), ...(description && { description }) }] as const,
  );
  const required = fields.filter(isRequiredInputField);
  return {
    ...objectSchema(
      properties,
      required.map(({ name }) => name),
    ),
    ...(type.isOneOf && { maxProperties: 1 }),
  };
}

/** The schema with other descriptions of members by their names; without one where the text is empty. */
export function withTexts<S extends JsonSchema>(
  schema: S,
  texts: Readonly<Record<string, string>>,
): S {
  const { items, properties } = schema as Partial<Pick<ObjectSchema, 'properties'>> & {
    readonly items?: JsonSchema;
  };
  if (items) return { ...schema, items: withTexts(items, texts) };
  if (!properties) return schema;
  const members = Object.entries(properties).map(([name, member]): [string, JsonSchema] => {
    const { description, ...rest } = withTexts(member, texts);
    const text = texts[name] ?? description;
    return [name, text ? { ...rest, description: text } : rest];
  });
  return { ...schema, properties: Object.fromEntries(members) };
}

export const objectSchema = (
  properties: readonly (readonly [name: string, schema: JsonSchema])[],
  required: readonly string[],
): ObjectSchema => ({
  type: 'object',
  properties: Object.fromEntries(properties),
  ...(required.length > 0 && { required }),
});

/** The schema of an amount of money in an argument. */
export const maxPriceSchema = objectSchema(
  Object.entries({
    amount: { type: ['string', 'number'] },
    currency: { type: 'string', description: 'Such as `USD`.' },
  }),
  ['amount', 'currency'],
);

/** The description of the first argument or input field that uses each variable. */
function describeVariables(
  schema: GraphQLSchema,
  operation: OperationDefinitionNode,
): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const types = new TypeInfo(schema);
  const note = (name: string, description: string | null | undefined) => {
    if (description && !found.has(name)) found.set(name, description);
  };
  visit(
    operation,
    visitWithTypeInfo(types, {
      Argument({ value }) {
        if (value.kind === Kind.VARIABLE) note(value.name.value, types.getArgument()?.description);
      },
      ObjectField({ name, value }) {
        const parent = types.getParentInputType();
        const named = parent && getNamedType(parent);
        if (value.kind !== Kind.VARIABLE || !isInputObjectType(named)) return;
        note(value.name.value, named.getFields()[name.value]?.description);
      },
    }),
  );
  return found;
}
