import SchemaBuilder, { type FieldMap } from '@pothos/core';
import scopeAuthPlugin from '@pothos/plugin-scope-auth';
import type { AccessScope } from '../kernel/caller.ts';
import type { DomainName } from '../kernel/domain-name.ts';
import type { Decimal } from '../kernel/money.ts';
import type { Scope } from '../modules/scope.ts';
import { type Access, accessOf, accessPlugin, refusalOf } from './access.ts';

/** What every type of the graph is built with; the context of a resolver is the scope of its request. */
export interface GraphTypes {
  Context: Scope;
  AuthScopes: Access;
  Scalars: {
    ID: { Input: string; Output: string };
    DomainName: { Input: DomainName; Output: DomainName };
    Decimal: { Input: Decimal; Output: Decimal };
    CurrencyCode: { Input: string; Output: string };
    DateTime: { Input: Date; Output: Date };
    URL: { Input: string; Output: string };
  };
}

export const builder = new SchemaBuilder<GraphTypes>({
  plugins: [accessPlugin, scopeAuthPlugin],
  scopeAuth: {
    authScopes: accessOf,
    unauthorizedError: (_parent, _scope, info) => refusalOf(info),
    // A stream is refused before anything is asked for it, and not again with each event.
    authorizeOnSubscribe: true,
  },
});

/** The options of a field that callers with any of these scopes may ask for. */
export const needs = (...may: readonly AccessScope[]) => ({ authScopes: { may } });

builder.queryType({
  description:
    'Everything that can be read. A field costs the upstream calls that its description names, once per operation.',
});
builder.mutationType({
  description:
    'Everything that can be changed. A refusal is data: each payload lists `errors`, and `executed` reports whether the registrar may have carried the change out.',
});

builder.subscriptionType({
  description: 'Events, over GraphQL over SSE in distinct connections mode.',
});

/** The `t` of a field function of an object type whose parent is `Shape`. */
export type ObjectFieldBuilder<Shape> = PothosSchemaTypes.ObjectFieldBuilder<
  PothosSchemaTypes.ExtendDefaultTypes<GraphTypes>,
  Shape
>;

/** The `t` of a field function of an input type. */
export type InputFieldBuilder = Parameters<Parameters<typeof builder.inputType>[1]['fields']>[0];

/** The `t.arg` of any field. */
export type QueryArgBuilder = PothosSchemaTypes.QueryFieldBuilder<
  PothosSchemaTypes.ExtendDefaultTypes<GraphTypes>,
  object
>['arg'];

/** Fields of an object type, as its field function gives them. */
export type ObjectFields = FieldMap;
