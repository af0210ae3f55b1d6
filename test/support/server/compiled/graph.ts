import {
  buildSchema,
  GraphQLError,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLResolveInfo,
  GraphQLScalarType,
  type GraphQLSchema,
  isAbstractType,
  isListType,
  isNonNullType,
  isObjectType,
  isScalarType,
  responsePathAsArray,
} from 'graphql';
import { item, outcome, pick, type Random, randomOf, type World } from './world.ts';

// A graph whose values and failures are drawn from a seed and the path of each field, so that two executions of a document see
// the same ones. All object types have the same fields.

const fields = /* GraphQL */ `
  text: String
  textMust: String!
  plain: Int
  plainMust: Int!
  color: Color
  json: Json
  jsonMust: Json!
  numbers: [Int!]
  grid: [[Float]!]!
  texts: [String]
  jsons: [Json]
  colors: [Color!]!
  a: A
  aMust: A!
  b: B
  listA: [A!]!
  listB: [B]
  plainA: A
  named: Named
  namedMust: Named!
  listNamed: [Named!]
  any: Any
  listAny: [Any]!
  byIsTypeOf: Other
  loaded(key: Int): Int
  args(x: Int = 3, y: [Int!] = [7], f: Filter, c: Color, d: Day, j: Json): Json
  must(r: Int!): Int
`;

export const fieldNames: readonly string[] = [...fields.matchAll(/^ {2}(\w+)/gm)].map(
  ([, name]) => name ?? '',
);

/** The place of each object, and its type. */
const keys = new WeakMap<object, string>();
const names: Readonly<Record<string, readonly string[]>> = {
  Named: ['A', 'B'],
  Any: ['A', 'B', 'C'],
  Other: ['B', 'C'],
};

function drawValue(type: GraphQLOutputType, world: World, key: string, random: Random): unknown {
  const isOdd = random() < world.failureRate;
  if (isNonNullType(type))
    return isOdd ? null : drawPresent(type.ofType, world, key, random, false);
  if (random() < 0.1) return pick(random, [null, undefined]);
  return drawPresent(type, world, key, random, isOdd);
}

function drawPresent(
  type: GraphQLOutputType,
  world: World,
  key: string,
  random: Random,
  isOdd: boolean,
): unknown {
  if (isListType(type))
    return isOdd
      ? pick<unknown>(random, ['text', 5, {}, { [Symbol.iterator]: 5 }])
      : drawList(type.ofType, world, key, random);
  if (isScalarType(type)) return drawScalar(type.name, random, isOdd);
  if (isObjectType(type) || isAbstractType(type)) return objectAt(world, key, type.name, random);
  return isOdd ? 'BLUE' : pick(random, ['RED', 'GREEN']);
}

function drawList(type: GraphQLOutputType, world: World, key: string, random: Random): unknown {
  const items = Array.from({ length: Math.floor(random() * 4) }, (_, at) =>
    item(world, `${key}.${at}`, random, (next) => drawValue(type, world, `${key}.${at}`, next)),
  );
  const drawn = random();
  if (drawn < 0.1) return new Set(items);
  if (drawn > 1 - world.failureRate) return failingIterator(items, key);
  return items;
}

function* failingIterator(items: readonly unknown[], key: string): Generator {
  yield* items;
  throw new Error(`no more items at ${key}`);
}

function drawScalar(name: string, random: Random, isOdd: boolean): unknown {
  if (name === 'Int') return isOdd ? 'no number' : Math.floor(random() * 100);
  if (name === 'Float') return isOdd ? Number.NaN : pick(random, [0.5, -0, 1e21, 1e-7]);
  if (name === 'String') {
    return isOdd
      ? {}
      : pick<unknown>(random, ['', 'abc', '"\\\n\u0000', '\ud800', '\u2028é😀', 5, true]);
  }
  return isOdd
    ? pick<unknown>(random, ['serialize throws', 'serialize null', () => 0, Symbol('s')])
    : pick<unknown>(random, [
        ...['text', 0, false, Number.NaN, [1, { a: [null, undefined] }]],
        ...[new Date(0), { toJSON: () => 'by toJSON' }, { toJSON: () => undefined }],
        { '"': 1 },
      ]);
}

/** An object. Fields without a resolver are read from it: as a property, or as a method. */
function objectAt(world: World, key: string, typeName: string, random: Random): object {
  const concrete = pick(random, names[typeName] ?? [typeName]);
  const read = (name: string) => {
    const field = (types[concrete] ?? types.A)?.getFields()[name];
    if (!field) return undefined;
    const own = randomOf(world, `${key} property ${name}`);
    const draw = () =>
      outcome(world, `${key}.${name}`, own, (next) =>
        drawValue(field.type, world, `${key}.${name}`, next),
      );
    if (own() < 0.5) return draw();
    return (args: object, context: World, info: GraphQLResolveInfo) => {
      note(context, 'method', args, info);
      return draw();
    };
  };
  const isNamed = random() < 0.5;
  // On the prototype, since a message of graphql-js quotes the own members of an object, and reads them for it.
  const members = {
    get plain() {
      return read('plain');
    },
    get plainMust() {
      return read('plainMust');
    },
    get plainA() {
      return read('plainA');
    },
  };
  const object = Object.assign(Object.create(members), isNamed && { __typename: concrete });
  keys.set(object, `${key} ${concrete}`);
  return object;
}

const keyOf = (value: object): string => keys.get(value) ?? 'root';
const concreteOf = (value: object): string => keyOf(value).split(' ').at(-1) ?? '';

function note({ log }: World, what: string, args: object, info: GraphQLResolveInfo): void {
  const { fieldName, fieldNodes, returnType, parentType, operation, variableValues } = info;
  const nodes = fieldNodes.map(({ loc }) => loc?.start).join();
  const place = `${responsePathAsArray(info.path).join('.')} ${info.path.typename}`;
  // Version 17 of graphql-js adds the sources of the values.
  const values = 'sources' in variableValues ? variableValues.coerced : variableValues;
  const known = [operation.name?.value, Object.keys(info.fragments), info.rootValue];
  log.push(
    `${what} ${parentType.name}.${fieldName}: ${returnType} at ${place} (${nodes}) ${JSON.stringify([args, values, known, info.schema === graph])}`,
  );
}

interface Damaged {
  x?: number;
  f?: { a?: number; list?: number[] };
  d?: Date;
}

/** Changes the arguments of a call, which no other call may see unless graphql-js shares them. */
function damage(args: Damaged): void {
  args.x = (args.x ?? 0) + 1;
  if (args.f) args.f.a = (args.f.a ?? 0) + 1;
  args.f?.list?.push(99);
  args.d?.setFullYear(1999);
}

function resolverOf({ name, type }: GraphQLField<unknown, World>) {
  return (
    _source: unknown,
    args: { key?: number } & Damaged,
    world: World,
    info: GraphQLResolveInfo,
  ): unknown => {
    note(world, 'resolve', args, info);
    const key = `${responsePathAsArray(info.path).join('.')} ${JSON.stringify(args)}`;
    const seen = JSON.stringify(args);
    damage(args);
    if (name === 'loaded') return world.loader.load(args.key ?? info.fieldNodes.length);
    const random = randomOf(world, key);
    return outcome(world, key, random, (next) =>
      name === 'args' ? seen : drawValue(type, world, key, next),
    );
  };
}

function resolveType(value: object, world: World, info: GraphQLResolveInfo): unknown {
  const key = keyOf(value);
  note(world, `resolveType of ${key}`, {}, info);
  const random = randomOf(world, `type of ${key}`);
  return outcome(world, key, random, () =>
    random() < world.failureRate
      ? pick<unknown>(random, [null, 'Missing', 'Color', 'Query', 5, types.A])
      : concreteOf(value),
  );
}

function isTypeOf(this: GraphQLObjectType, value: object, world: World, info: GraphQLResolveInfo) {
  const key = keyOf(value);
  note(world, `isTypeOf ${this.name} of ${key}`, {}, info);
  const random = randomOf(world, `is ${this.name} ${key}`);
  return outcome(world, key, random, () =>
    random() < world.failureRate
      ? pick(random, [false, undefined])
      : concreteOf(value) === this.name,
  );
}

const json = new GraphQLScalarType({
  name: 'Json',
  serialize(value) {
    if (value === 'serialize throws') throw new Error('It cannot be serialized.');
    return value === 'serialize null' ? null : value;
  },
});

const day = new GraphQLScalarType<Date | null, unknown>({
  name: 'Day',
  parseValue(text) {
    const date = new Date(`${text}`);
    if (Number.isNaN(date.getTime())) throw new GraphQLError('This is no day.');
    return date;
  },
});

function createGraph(): GraphQLSchema {
  const schema = buildSchema(/* GraphQL */ `
    enum Color { RED GREEN }
    scalar Json
    scalar Day
    input Filter { a: Int = 1 list: [Int!] }
    interface Named { ${fields} }
    union Any = A | B | C
    union Other = B | C
    type A implements Named { ${fields} }
    type B implements Named { ${fields} }
    type C { ${fields} }
    type Query { ${fields} }
    type Mutation { text: String }
  `);
  Object.assign(schema.getType('Json') ?? {}, { serialize: json.serialize });
  Object.assign(schema.getType('Day') ?? {}, {
    parseValue: day.parseValue,
    parseLiteral: day.parseLiteral,
  });
  return schema;
}

export const graph: GraphQLSchema = createGraph();
const types = graph.getTypeMap() as Readonly<Record<string, GraphQLObjectType>>;

for (const type of Object.values(types)) {
  if (isAbstractType(type) && (type as { name: string }).name !== 'Other') {
    Object.assign(type, { resolveType });
  }
  if (!isObjectType(type) || type.name.startsWith('__')) continue;
  if (type.name === 'B' || type.name === 'C') Object.assign(type, { isTypeOf });
  for (const field of Object.values(type.getFields())) {
    if (!field.name.startsWith('plain')) Object.assign(field, { resolve: resolverOf(field) });
  }
}
