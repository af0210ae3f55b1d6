import { getDocumentNodeFromSchema, MapperKind, mapSchema } from '@graphql-tools/utils';
import {
  type DefinitionNode,
  type DirectiveDefinitionNode,
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
  Kind,
  print,
} from 'graphql';
import { allAccessScopes } from '../../kernel/caller.ts';
import { defaultMaxAges, type MaxAges } from '../../kernel/instant.ts';
import {
  cacheTagOf,
  type Directives,
  type SupergraphDirectives,
} from '../../kernel/schema-extensions.ts';
import {
  CallCount,
  type CostContext,
  type CostMark,
  type OnceRead,
} from '../../kernel/upstream-calls.ts';
import { neededFor } from '../../schema/access.ts';
import { defaultPageSize } from '../../schema/arguments.ts';
import { noEntities } from '../../schema/cost.ts';
import { incrementalDirectives } from '../../schema/incremental-delivery.ts';
import type { SdlFiles } from '../../seam/feature.ts';

/** Version 2.9 is the first with costs. No version of Federation defines `@oneOf`, so a composer that does not know it needs its definition. */
const federationHead = `extend schema
  @link(
    url: "https://specs.apollo.dev/federation/v2.9"
    import: ["@key", "@shareable", "@inaccessible", "@tag", "@authenticated", "@requiresScopes", "@cost", "@listSize"]
  )

directive @oneOf on INPUT_OBJECT`;

const stitchingHead = `directive @merge(
  keyField: String
  keyArg: String
  additionalArgs: String
  key: [String!]
  argsExpr: String
) on FIELD_DEFINITION`;

/** The graph as a Federation 2 subgraph. */
export const printSubgraph = (schema: GraphQLSchema, maxAges = defaultMaxAges): string =>
  `${federationHead}\n\n${printWithDirectives(withRouterDirectives(schema, maxAges), 'federation')}`;

/** The graph with stitching directives, which name the fields by which a gateway loads its types. */
export const printForStitching = (schema: GraphQLSchema): string =>
  `${stitchingHead}\n\n${printWithDirectives(schema, 'stitching')}`;

/** Federation defines the schema; a gateway delivers `@defer` and `@stream` itself. */
const isLeftOut = (definition: DefinitionNode): boolean =>
  definition.kind === Kind.SCHEMA_DEFINITION ||
  (definition.kind === Kind.DIRECTIVE_DEFINITION && isIncremental(definition));
const isIncremental = ({ name }: DirectiveDefinitionNode) =>
  incrementalDirectives.some((one) => one.name === name.value);

function printWithDirectives(schema: GraphQLSchema, dialect: keyof SupergraphDirectives): string {
  const { definitions, ...document } = getDocumentNodeFromSchema(schema, {
    pathToDirectivesInExtensions: ['supergraph', dialect],
  });
  return print({
    ...document,
    definitions: definitions.filter((one) => !isLeftOut(one)),
  });
}

export const sdlFiles: SdlFiles = {
  'subgraph.graphql': printSubgraph,
  'stitching.graphql': printForStitching,
};

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
function withRouterDirectives(schema: GraphQLSchema, maxAges: MaxAges): GraphQLSchema {
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

/** The maximum age of the data that a field reads, in milliseconds. */
function ageOf(
  mark: CostMark,
  args: object,
  context: CostContext,
  { tldsMs, domainsMs, availabilityMs }: MaxAges,
): number {
  let ageMs = Number.POSITIVE_INFINITY;
  const read = (maxAgeMs: number) => () => {
    ageMs = Math.min(ageMs, maxAgeMs);
  };
  const once = { tldlist: tldsMs, getdomainlist: domainsMs, resellerdetails: 0 };
  const [checked, uncached] = [read(availabilityMs), read(0)];
  const count = Object.assign(new CallCount(), {
    once: (name: OnceRead) => read(once[name])(),
    domains: read(domainsMs),
    ...{ names: checked, search: checked },
    ...{ refreshed: uncached, contacts: uncached, authCodes: uncached, calls: uncached },
    ...{ listRows: uncached, rows: uncached },
  });
  mark(count, args, context);
  return ageMs;
}

/** Without this directive routers and servers use a maximum age of 0 for a root field and for an object. */
function cacheControlOf(field: Field, isRoot: boolean, maxAges: MaxAges): Directives {
  const mark = markOf(field);
  if (!mark) {
    const inherits = !isRoot && isCompositeType(getNamedType(field.type));
    return inherits ? { cacheControl: { inheritMaxAge: true } } : {};
  }
  const ageMs = ageOf(
    mark,
    exampleArguments(field.args),
    isRoot ? noEntities : objects(1),
    maxAges,
  );
  const maxAge = Number.isFinite(ageMs) ? ageMs / 1_000 : 0;
  if (maxAge === 0) return {};
  return { cacheControl: { maxAge, scope: cacheTagOf(field) ? 'PUBLIC' : 'PRIVATE' } };
}
