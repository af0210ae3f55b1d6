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
import { invalidInput } from '../../kernel/faults.ts';
import { parseJson } from '../../lib/json.ts';

export type JsonSchema = Readonly<Record<string, unknown>>;

export type Arguments = Readonly<Record<string, unknown>>;

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

/**
 * The arguments of a tool by its schema. Models send some lists and objects as text, which is read as a list or an object.
 *
 * @throws Fault `INVALID_INPUT`, whose message names the argument and repeats no text of the caller.
 */
export function readArguments(schema: ObjectSchema, args: object): Arguments {
  const missing: string[] = [];
  const read = readObject(schema, args, '', missing);
  if (missing.length === 0) return read;
  throw invalidInput(
    `Missing arguments: ${missing.join(', ')}. Ask the user for values that you do not know.`,
  );
}

function readObject(schema: ObjectSchema, given: object, path: string, missing: string[]) {
  const { properties, required = [], maxProperties } = schema;
  const below = path === '' ? '' : `${path}.`;
  const names = Object.keys(properties);
  // Null is not a value of a member that has a default.
  const entries = Object.entries(given).filter(
    ([name, value]) => value !== null || properties[name]?.default === undefined,
  );
  if (entries.some(([name]) => !Object.hasOwn(properties, name))) {
    throw invalidInput(
      `This tool does not have such an argument. The arguments are: ${names.map((name) => below + name).join(', ') || 'none'}.`,
    );
  }
  const set = entries.filter(([, value]) => value !== null && value !== undefined);
  if (maxProperties === 1 && set.length !== 1) {
    throw invalidInput(`"${path}" must have exactly one of these members: ${names.join(', ')}.`);
  }
  const isSet = new Set(set.map(([name]) => name));
  missing.push(...required.filter((name) => !isSet.has(name)).map((name) => below + name));
  return Object.fromEntries(
    entries.map(([name, value]) => [
      name,
      isSet.has(name)
        ? readValue(properties[name] as JsonSchema, value, below + name, missing)
        : value,
    ]),
  );
}

/** The value, which is neither null nor undefined. */
function readValue(schema: JsonSchema, value: unknown, path: string, missing: string[]): unknown {
  const { type } = schema;
  if (type === 'array') return readList(schema, value, path, missing);
  if (type === 'object') {
    const { properties } = schema as ObjectSchema;
    const members = Object.keys(properties).join(', ');
    const given = typeof value === 'string' ? parseJson(value) : value;
    if (typeof given !== 'object' || given === null || Array.isArray(given)) {
      throw invalidInput(`"${path}" must be an object with members of: ${members}.`);
    }
    return readObject(schema as ObjectSchema, given, path, missing);
  }
  if (!fits(schema, value)) throw invalidInput(`"${path}" must be ${describe(schema)}.`);
  return value;
}

/** A value that is no list is one item. */
function readList(schema: JsonSchema, value: unknown, path: string, missing: string[]): unknown {
  const isJson = typeof value === 'string' && value.trimStart().startsWith('[');
  const given = isJson ? parseJson(value) : value;
  if (isJson && !Array.isArray(given)) {
    throw invalidInput(`"${path}" is no list; send a JSON array such as ["maple-field.com"].`);
  }
  const { items: ofItem, minItems = 0, maxItems = Number.POSITIVE_INFINITY } = schema;
  const item = ofItem as JsonSchema;
  const items = [given].flat().flatMap((one) => (item.type === 'string' ? apart(one) : [one]));
  if (items.length < Number(minItems) || items.length > Number(maxItems)) {
    throw invalidInput(
      `"${path}" must have ${minItems} to ${maxItems} items; it has ${items.length}.`,
    );
  }
  const read = items.map((one, at) => readValue(item, one, `${path}[${at}]`, missing));
  return Array.isArray(given) || read.length > 1 ? read : read[0];
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

/** The integers of the graph have 32 bits. */
const boundsOf = ({ minimum = 0, maximum = 2 ** 31 - 1 }: JsonSchema) =>
  [Number(minimum), Number(maximum)] as const;

/** Whether the value has the type of the schema, which is neither a list nor an object. */
function fits(schema: JsonSchema, value: unknown): boolean {
  const { type, enum: values } = schema;
  const [minimum, maximum] = boundsOf(schema);
  if (type === 'integer') {
    return Number.isInteger(value) && Number(value) >= minimum && Number(value) <= maximum;
  }
  return [type].flat().includes(typeof value) && (!Array.isArray(values) || values.includes(value));
}

function describe(schema: JsonSchema): string {
  const { type, enum: values, maximum } = schema;
  if (Array.isArray(values)) return `one of ${values.join(', ')}`;
  if (type === 'boolean') return 'true or false';
  if (type !== 'integer') return Array.isArray(type) ? 'a text or a number' : 'a text';
  return `a whole number ${maximum ? `from ${boundsOf(schema).join(' to ')}` : `of at least ${boundsOf(schema)[0]}`}`;
}
