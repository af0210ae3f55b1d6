import { MapperKind, mapSchema } from '@graphql-tools/utils';
import {
  DirectiveLocation,
  type GraphQLArgument,
  GraphQLBoolean,
  GraphQLDirective,
  GraphQLEnumType,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLInputType,
  GraphQLInt,
  GraphQLObjectType,
  GraphQLSchema,
  getNamedType,
  getNullableType,
  isCompositeType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql';
import { allAccessScopes } from '../../kernel/caller.ts';
import type { MaxAges } from '../../kernel/instant.ts';
import {
  cacheTagOf,
  type Directives,
  type SupergraphDirectives,
} from '../../kernel/schema-extensions.ts';
import { CallCount, type CostContext, type CostMark } from '../../kernel/upstream-calls.ts';
import { neededFor } from '../../schema/access.ts';
import { defaultPageSize } from '../../schema/arguments.ts';
import { noEntities } from '../../schema/cost.ts';

type Field = GraphQLField<unknown, unknown>;

const cacheControl = new GraphQLDirective({
  name: 'cacheControl',
  locations: [DirectiveLocation.FIELD_DEFINITION],
  args: {
    maxAge: { type: GraphQLInt },
    scope: {
      type: new GraphQLEnumType({
        name: 'CacheControlScope',
        values: { PUBLIC: {}, PRIVATE: {} },
      }),
    },
    inheritMaxAge: { type: GraphQLBoolean },
  },
});

/**
 * The graph with directives for routers, from the marks of its fields: who may select a field, how many upstream calls it
 * costs, how long its list is, and how long its data is cached.
 */
export function withRouterDirectives(schema: GraphQLSchema, maxAges: MaxAges): GraphQLSchema {
  const { directives, ...rest } = schema.toConfig();
  const query = schema.getQueryType()?.name;
  const otherRoots = [schema.getMutationType()?.name, schema.getSubscriptionType()?.name];
  const isRoot = (name: string) => name === query || otherRoots.includes(name);
  return mapSchema(new GraphQLSchema({ ...rest, directives: [...directives, cacheControl] }), {
    // A cost is a number of upstream calls; without a weight routers count 1 for an object.
    [MapperKind.OBJECT_TYPE]: (type) =>
      isRoot(type.name)
        ? type
        : new GraphQLObjectType(withDirectives(type.toConfig(), { cost: { weight: 0 } })),
    [MapperKind.OBJECT_FIELD]: (config, name, parent) => {
      const type = schema.getType(parent);
      const field = isObjectType(type) ? type.getFields()[name] : undefined;
      if (!field) return config;
      return withDirectives(config, {
        ...accessOf(field, isRoot(parent)),
        ...costOf(field, isRoot(parent)),
        ...listSizeOf(field),
        ...(!otherRoots.includes(parent) && cacheControlOf(field, parent === query, maxAges)),
      });
    },
  });
}

function withDirectives<Config extends { extensions?: object | null | undefined }>(
  config: Config,
  directives: Directives,
): Config {
  const { supergraph } = (config.extensions ?? {}) as { supergraph?: SupergraphDirectives };
  const federation = { ...supergraph?.federation, ...directives };
  return {
    ...config,
    extensions: { ...config.extensions, supergraph: { ...supergraph, federation } },
  };
}

/** With authentication every root field needs a key. Each of the scopes is an alternative. */
function accessOf(field: Field, isRoot: boolean): Directives {
  const needed = neededFor(field);
  if (needed.length === 0) return isRoot ? { authenticated: {} } : {};
  if (needed.length === allAccessScopes.length) return { authenticated: {} };
  return { requiresScopes: { scopes: needed.map((scope) => [scope]) } };
}

const markOf = ({ extensions }: Field) => extensions.cost as CostMark | undefined;

/**
 * The upstream calls of a root field, or those that each more object costs at another field. A read that serves the whole
 * operation costs nothing there.
 */
function costOf(field: Field, isRoot: boolean): Directives {
  const mark = markOf(field);
  if (!mark) return {};
  const callsBelow = (context: CostContext) => {
    const count = new CallCount();
    mark(count, exampleArguments(field.args), context);
    return count.total;
  };
  const weight = isRoot ? callsBelow(noEntities) : callsBelow(objects(2)) - callsBelow(objects(1));
  return weight > 0 ? { cost: { weight } } : {};
}

/** Objects whose names are not known before execution. */
function objects(amount: number): CostContext {
  const others = { names: [], others: amount };
  return { domains: others, contacts: others, purchases: others, owners: { key: '', amount } };
}

/** Default values, and an example of each required argument. */
const exampleArguments = (args: readonly (GraphQLArgument | GraphQLInputField)[]) =>
  Object.fromEntries(
    args.flatMap(({ name, type, defaultValue }) =>
      defaultValue === undefined && !isNonNullType(type)
        ? []
        : [[name, defaultValue ?? exampleOf(type)]],
    ),
  );

function exampleOf(nullable: GraphQLInputType): unknown {
  const type = getNullableType(nullable);
  if (isListType(type)) return [exampleOf(type.ofType)];
  if (isInputObjectType(type)) return exampleArguments(Object.values(type.getFields()));
  if (isEnumType(type)) return type.getValues()[0]?.value;
  return type === GraphQLInt ? 1 : 'example.com';
}

const slices = ['first', 'last'];
/** The fields of a connection that are lists. */
const lists = ['edges', 'nodes'];

/** The arguments that limit the size of a list, and the size of a page without them. */
function listSizeOf({ args, type }: Field): Directives {
  const sizes = args.filter((one) => slices.includes(one.name));
  if (sizes.length === 0) return {};
  const hasDefault = sizes.some((one) => one.defaultValue !== undefined);
  const shared = {
    // Composition refuses it beside a default value.
    ...(!hasDefault && { assumedSize: defaultPageSize }),
    slicingArguments: sizes.map(({ name }) => name),
    requireOneSlicingArgument: false,
  };
  const page = getNullableType(type);
  if (isListType(page)) return { listSize: shared };
  const sizedFields = isObjectType(page) ? lists.filter((name) => page.getFields()[name]) : [];
  return sizedFields.length > 0 ? { listSize: { ...shared, sizedFields } } : {};
}

/** Records the maximum age of the data that a field reads. */
class ReadAges extends CallCount {
  readonly #maxAges: MaxAges;
  ageMs = Number.POSITIVE_INFINITY;

  constructor(maxAges: MaxAges) {
    super();
    this.#maxAges = maxAges;
  }

  #read(ageMs: number): void {
    this.ageMs = Math.min(this.ageMs, ageMs);
  }

  override once(...[read]: Parameters<CallCount['once']>): void {
    const { tldsMs, domainsMs } = this.#maxAges;
    this.#read({ tldlist: tldsMs, getdomainlist: domainsMs, resellerdetails: 0 }[read]);
  }
  override domains(): void {
    this.#read(this.#maxAges.domainsMs);
  }
  override names(): void {
    this.#read(this.#maxAges.availabilityMs);
  }
  override search(): void {
    this.#read(this.#maxAges.availabilityMs);
  }
  override refreshed(): void {
    this.#read(0);
  }
  override contacts(): void {
    this.#read(0);
  }
  override authCodes(): void {
    this.#read(0);
  }
  override calls(): void {
    this.#read(0);
  }
  override listRows(): void {
    this.#read(0);
  }
  override rows(): void {
    this.#read(0);
  }
}

/** Without this directive routers and servers use a maximum age of 0 for a root field and for an object. */
function cacheControlOf(field: Field, isRoot: boolean, maxAges: MaxAges): Directives {
  const mark = markOf(field);
  if (!mark) {
    const inherits = !isRoot && isCompositeType(getNamedType(field.type));
    return inherits ? { cacheControl: { inheritMaxAge: true } } : {};
  }
  const ages = new ReadAges(maxAges);
  mark(ages, exampleArguments(field.args), isRoot ? noEntities : objects(1));
  const maxAge = Number.isFinite(ages.ageMs) ? ages.ageMs / 1_000 : 0;
  if (maxAge === 0) return {};
  return { cacheControl: { maxAge, scope: cacheTagOf(field) ? 'PUBLIC' : 'PRIVATE' } };
}
