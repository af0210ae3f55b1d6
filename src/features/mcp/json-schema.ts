import {
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

/** What a schema has beside the types of the graph. */
interface SchemaOptions {
  /** Descriptions and keywords such as `maximum` by variable. */
  readonly bounds?: Readonly<Record<string, JsonSchema>>;
  /** Descriptions by names, or by paths such as `filter.states`. */
  readonly texts?: Readonly<Record<string, string>>;
  /** The names of members that objects do not have. */
  readonly without?: ReadonlySet<string>;
}

/** The schema of the variables of an operation. */
export function variablesSchema(
  schema: GraphQLSchema,
  operation: OperationDefinitionNode,
  { bounds = {}, ...options }: SchemaOptions,
): ObjectSchema {
  const definitions = operation.variableDefinitions ?? [];
  const properties = definitions.map(({ variable, type: node, defaultValue }) => {
    const { value: name } = variable.name;
    const type = typeFromAST(schema, node as never);
    if (!type) throw new Error('A tool has a variable of a type that the graph does not have.');
    const byDefault = defaultValue && { default: valueFromASTUntyped(defaultValue) };
    return [name, { ...memberSchema(type, name, options), ...byDefault, ...bounds[name] }] as const;
  });
  const isRequired = ({ type, defaultValue }: (typeof definitions)[number]) =>
    type.kind === Kind.NON_NULL_TYPE && !defaultValue;
  return objectSchema(
    properties,
    definitions.filter(isRequired).map(({ variable }) => variable.name.value),
  );
}

/** The schema of a variable, or of a member of an object, with its description. */
function memberSchema(type: GraphQLType, path: string, options: SchemaOptions): JsonSchema {
  const { texts = {} } = options;
  const description = texts[path] ?? texts[path.replace(/^.*\./, '')];
  return { ...inputSchema(type, path, options), ...(description && { description }) };
}

function inputSchema(type: GraphQLType, path: string, options: SchemaOptions): JsonSchema {
  if (isNonNullType(type)) return inputSchema(type.ofType, path, options);
  if (isListType(type)) return { type: 'array', items: inputSchema(type.ofType, path, options) };
  if (isEnumType(type)) return { type: 'string', enum: type.getValues().map(({ name }) => name) };
  if (isInputObjectType(type)) {
    const fields = Object.values(type.getFields()).filter(
      ({ name }) => !options.without?.has(name),
    );
    const properties = fields.map(
      ({ name, type: ofField }) =>
        [name, memberSchema(ofField, `${path}.${name}`, options)] as const,
    );
    const required = fields.filter(isRequiredInputField).map(({ name }) => name);
    return { ...objectSchema(properties, required), ...(type.isOneOf && { maxProperties: 1 }) };
  }
  const { name } = getNamedType(type);
  // The name may have a prefix.
  return { type: name.endsWith('Decimal') ? ['string', 'number'] : (jsonTypes[name] ?? 'string') };
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
