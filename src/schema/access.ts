import SchemaBuilder, {
  BasePlugin,
  type FieldNullability,
  type InputFieldMap,
  type PothosOutputFieldConfig,
  type SchemaTypes,
  type TypeParam,
} from '@pothos/core';
import type { GraphQLFieldResolver, GraphQLResolveInfo } from 'graphql';
import {
  type AccessScope,
  allAccessScopes,
  type Caller,
  forbidden,
  mayAny,
} from '../kernel/caller.ts';
import type { Scope } from '../modules/scope.ts';
import { fieldsIn } from './look-ahead.ts';

type Scopes = readonly AccessScope[];

interface AccessExtensions {
  readonly access?: Scopes;
}

/** The scopes of which a caller needs one to select the field; empty when the field requires none. */
export const neededFor = ({ extensions }: Extended): Scopes =>
  (extensions as AccessExtensions | null)?.access ?? [];

interface Extended {
  readonly extensions?: object | null | undefined;
}

/** @throws Fault `FORBIDDEN` when scopes are needed and the caller has none of them. */
export function assertMay(caller: Caller, needed: Scopes): void {
  if (needed.length > 0 && !mayAny(caller, needed)) throw forbidden(needed);
}

/**
 * Adds the field option `accessScopes`. The resolver of such a field refuses a caller without any of the scopes, its
 * description names them, and `extensions.access` lists them. Each mutation is audited.
 */
class AccessPlugin<Types extends SchemaTypes> extends BasePlugin<Types> {
  override onOutputFieldConfig(config: PothosOutputFieldConfig<Types>) {
    const { accessScopes } = config.pothosOptions as { readonly accessScopes?: Scopes };
    if (!accessScopes) return config;
    const isAny = accessScopes.length === allAccessScopes.length;
    const names = accessScopes.map((name) => `\`${name}\``).join(' or ');
    return {
      ...config,
      description: `${config.description ?? ''} Needs ${isAny ? 'any scope' : names}.`.trim(),
      extensions: { ...config.extensions, access: accessScopes },
    };
  }

  override wrapResolve(
    resolve: Resolver<Types>,
    { parentType, extensions }: PothosOutputFieldConfig<Types>,
  ): Resolver<Types> {
    // `wrapSubscribe` checks a subscription once, before its first event.
    if (parentType === 'Subscription') return resolve;
    const guarded = guard(resolve, neededFor({ extensions }));
    return parentType === 'Mutation' ? audited(guarded) : guarded;
  }

  override wrapSubscribe(
    subscribe: Resolver<Types> | undefined,
    { extensions }: PothosOutputFieldConfig<Types>,
  ): Resolver<Types> | undefined {
    return subscribe && guard(subscribe, neededFor({ extensions }));
  }
}

type Resolver<Types extends SchemaTypes> = GraphQLFieldResolver<unknown, Types['Context'], object>;

const guard = <Types extends SchemaTypes>(
  resolve: Resolver<Types>,
  needed: Scopes,
): Resolver<Types> =>
  needed.length === 0
    ? resolve
    : (root, args, context, info) => {
        assertMay((context as Scope).caller, needed);
        return resolve(root, args, context, info);
      };

/** A mutation with an audit line of its outcome. */
const audited =
  <Types extends SchemaTypes>(resolve: Resolver<Types>): Resolver<Types> =>
  (root, args: { input?: { domain?: string } }, context, info) => {
    const scope = context as Scope;
    return scope.audited(
      info.fieldName,
      args.input?.domain ?? null,
      async () => {
        assertMayAll(scope, info);
        return resolve(root, args, context, info) as Promise<MutationPayload>;
      },
      outcomeOf,
    );
  };

/** The members of a mutation's payload that decide its audited outcome. */
interface MutationPayload {
  readonly errors: readonly { readonly code: string }[];
  readonly purchase?: { readonly state: string } | null;
}

const outcomeOf = ({ errors, purchase }: MutationPayload): string =>
  errors[0]?.code ?? purchase?.state ?? 'OK';

/**
 * Refuses the first of several mutations when a later one is forbidden. The later error would null the whole response, and
 * with it the payload of a purchase that was already sent.
 */
function assertMayAll({ caller }: Scope, info: GraphQLResolveInfo): void {
  const known = info.parentType.getFields();
  for (const { name } of fieldsIn(info.operation.selectionSet.selections, info)) {
    const field = known[name.value];
    if (field) assertMay(caller, neededFor(field));
  }
}

const pluginName = 'access';
SchemaBuilder.registerPlugin(pluginName, AccessPlugin);

export { pluginName as accessPlugin };

declare global {
  export namespace PothosSchemaTypes {
    interface Plugins<Types extends SchemaTypes> {
      access: AccessPlugin<Types>;
    }

    // The parameters repeat those of the declaration in Pothos, as merging requires.
    interface FieldOptions<
      Types extends SchemaTypes = SchemaTypes,
      ParentShape = unknown,
      Type extends TypeParam<Types> = TypeParam<Types>,
      Nullable extends FieldNullability<Type> = FieldNullability<Type>,
      Args extends InputFieldMap = InputFieldMap,
      ResolveShape = unknown,
      ResolveReturnShape = unknown,
    > {
      /** The caller needs one of these scopes; see `needs`. */
      accessScopes?: readonly AccessScope[];
    }
  }
}
