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
  type TypeNode,
  typeFromAST,
  valueFromASTUntyped,
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

/** Descriptions of members of objects by their names. */
type Texts = Readonly<Record<string, string>>;

/** The schema of the variables of an operation. `bounds` has descriptions and keywords such as `maximum` by variable. */
export function variablesSchema(
  schema: GraphQLSchema,
  operation: OperationDefinitionNode,
  bounds: Readonly<Record<string, JsonSchema>>,
  texts: Texts = {},
): ObjectSchema {
  const definitions = operation.variableDefinitions ?? [];
  const properties = definitions.map(({ variable, type, defaultValue }) => {
    const { value: name } = variable.name;
    const byDefault = defaultValue && { default: valueFromASTUntyped(defaultValue) };
    const own = inputSchema(inputTypeOf(schema, type), texts);
    return [name, { ...own, ...byDefault, ...bounds[name] }] as const;
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
  texts: Texts,
  without: ReadonlySet<string>,
): ObjectSchema {
  const type = getNamedType(inputTypeOf(schema, node));
  if (!isInputObjectType(type)) throw new Error(`${type} is not an input object.`);
  return inputFieldsSchema(type, texts, without);
}

function inputTypeOf(schema: GraphQLSchema, node: TypeNode): GraphQLType {
  const type = typeFromAST(schema, node as never);
  if (!type) throw new Error('A tool has a variable of a type that the graph does not have.');
  return type;
}

function inputSchema(type: GraphQLType, texts: Texts): JsonSchema {
  if (isNonNullType(type)) return inputSchema(type.ofType, texts);
  if (isListType(type)) return { type: 'array', items: inputSchema(type.ofType, texts) };
  if (isEnumType(type)) return { type: 'string', enum: type.getValues().map(({ name }) => name) };
  if (isInputObjectType(type)) return inputFieldsSchema(type, texts);
  const { name } = getNamedType(type);
  // The name may have a prefix.
  return { type: name.endsWith('Decimal') ? ['string', 'number'] : (jsonTypes[name] ?? 'string') };
}

function inputFieldsSchema(
  type: GraphQLInputObjectType,
  texts: Texts,
  without?: ReadonlySet<string>,
): ObjectSchema {
  const fields = Object.values(type.getFields()).filter(({ name }) => !without?.has(name));
  const properties = fields.map(({ name, type: ofField }) => {
    const text = texts[name] && { description: texts[name] };
    return [name, { ...inputSchema(ofField, texts), ...text }] as const;
  });
  const required = fields.filter(isRequiredInputField).map(({ name }) => name);
  return { ...objectSchema(properties, required), ...(type.isOneOf && { maxProperties: 1 }) };
}

/** The schema with another value for a key, at any depth. */
export const withValue = (schema: ObjectSchema, key: string, value: unknown): ObjectSchema =>
  JSON.parse(JSON.stringify(schema, (name, own) => (name === key ? value : own)));

export const objectSchema = (
  properties: readonly (readonly [name: string, schema: JsonSchema])[],
  required: readonly string[],
): ObjectSchema => ({
  type: 'object',
  properties: Object.fromEntries(properties),
  ...(required.length > 0 && { required }),
});
