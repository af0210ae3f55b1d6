import SchemaBuilder, {
  BasePlugin,
  contextCacheSymbol,
  type PothosOutputFieldConfig,
  type SchemaTypes,
} from '@pothos/core';
import { RequestCache } from '@pothos/plugin-scope-auth';
import type { GraphQLFieldResolver, GraphQLResolveInfo } from 'graphql';
import {
  type AccessScope,
  allAccessScopes,
  type Caller,
  forbidden,
  mayAny,
} from '../kernel/caller.ts';
import type { Scope } from '../modules/scope.ts';
import { fieldsOf } from './look-ahead.ts';

/** The `authScopes` of a field that each of these scopes opens. */
export interface Access {
  readonly may: readonly AccessScope[];
}

/** What a field that needs a scope has among its `extensions`. */
interface Marked {
  readonly access?: readonly AccessScope[];
}

/** How the scopes of a caller are looked up. */
export const accessOf = ({ caller }: { readonly caller: Caller }) => ({
  may: (needed: Access['may']) => mayAny(caller, needed),
});

/** The scopes of which a caller needs one to ask for a field; none where it takes no scope. */
export const neededFor = ({ extensions }: { readonly extensions: object }): Access['may'] =>
  (extensions as Marked).access ?? [];

/** What a refused field says. */
export const refusalOf = ({ parentType, fieldName }: GraphQLResolveInfo): Error =>
  forbidden(neededFor(parentType.getFields()[fieldName] ?? { extensions: {} }));

/**
 * What goes with the scopes of a field: its description names them, a program can read them, and each mutation is
 * written down. Whether a caller has them is asked by the plugin of Pothos.
 */
class AccessPlugin<Types extends SchemaTypes> extends BasePlugin<Types> {
  override onOutputFieldConfig(config: PothosOutputFieldConfig<Types>) {
    const { authScopes } = config.pothosOptions as object as { readonly authScopes?: Access };
    if (!authScopes) return config;
    const isAny = authScopes.may.length === allAccessScopes.length;
    const names = authScopes.may.map((name) => `\`${name}\``).join(' or ');
    return {
      ...config,
      description: `${config.description ?? ''} Needs ${isAny ? 'any scope' : names}.`.trim(),
      extensions: { ...config.extensions, access: authScopes.may },
    };
  }

  override wrapResolve(
    resolve: Resolver<Types>,
    { parentType }: PothosOutputFieldConfig<Types>,
  ): Resolver<Types> {
    if (parentType === 'Mutation') return this.#remembering(audited(resolve));
    return parentType === 'Query' ? this.#remembering(resolve) : resolve;
  }

  override wrapSubscribe(subscribe: Resolver<Types> | undefined): Resolver<Types> | undefined {
    return subscribe && this.#remembering(subscribe);
  }

  /**
   * What a caller may do is found out once for all its requests. The plugin of Pothos keeps the context that it does that
   * with, so before it sees that of a request, with all that was loaded for it, it is shown one of the caller alone.
   */
  #remembering(resolve: Resolver<Types>): Resolver<Types> {
    return (root, args, context, info) => {
      const { caller } = context as Scope;
      RequestCache.fromContext({ caller, [contextCacheSymbol]: caller }, this.builder);
      return resolve(root, args, context, info);
    };
  }
}

type Resolver<Types extends SchemaTypes> = GraphQLFieldResolver<unknown, Types['Context'], object>;

/** A mutation that is written down with its outcome. */
const audited =
  <Types extends SchemaTypes>(resolve: Resolver<Types>): Resolver<Types> =>
  (root, args: { input?: { domain?: string } }, context, info) => {
    const scope = context as Scope;
    return scope.audited(
      info.fieldName,
      args.input?.domain ?? null,
      async () => {
        refuseTogether(scope, info);
        return resolve(root, args, context, info) as Promise<MutationAnswer>;
      },
      outcomeOf,
    );
  };

/** As much of the answer of a mutation as its outcome is told by. */
interface MutationAnswer {
  readonly errors: readonly { readonly code: string }[];
  readonly purchase?: { readonly state: string } | null;
}

const outcomeOf = ({ errors, purchase }: MutationAnswer): string =>
  errors[0]?.code ?? purchase?.state ?? 'OK';

/**
 * Refuses the first of several mutations where a later one would be refused: that would take the answers of those before
 * it along, and one of them may have been a purchase.
 */
function refuseTogether({ caller }: Scope, info: GraphQLResolveInfo): void {
  const known = info.parentType.getFields();
  for (const name of fieldsOf(info.operation.selectionSet, info).keys()) {
    const needed = neededFor(known[name] ?? { extensions: {} });
    if (needed.length > 0 && !mayAny(caller, needed)) throw forbidden(needed);
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
  }
}
