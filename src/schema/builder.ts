import SchemaBuilder, { type FieldMap } from '@pothos/core';
import type { AccessScope } from '../kernel/caller.ts';
import type { DomainName } from '../kernel/domain-name.ts';
import { addedEnumValues } from '../kernel/enum-values.ts';
import type { Decimal } from '../kernel/money.ts';
import { shownState } from '../kernel/purchase-states.ts';
import type { Scope } from '../scope/scope.ts';
import { accessPlugin } from './access.ts';
import { leftOutPlugin } from './left-out.ts';

/** The types of the Pothos builder. The context of a resolver is the `Scope` of its request. */
export interface GraphTypes {
  Context: Scope;
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
  plugins: [accessPlugin, leftOutPlugin],
});

/** An enum type, with the description of each value. A state has the name that clients see: HELD has one when a feature holds requests. Features may add values. */
export const enumRef = <Value extends string>(
  name: string,
  description: string,
  values: Readonly<Record<Value, string>>,
) => {
  const described = Object.entries<string>({ ...values, ...addedEnumValues(name) })
    .map(([value, text]) => [shownState(value), { description: text, value }])
    .filter(([shown]) => shown !== 'HELD');
  return builder.enumType(name, {
    description,
    values: Object.fromEntries(described) as Record<Value, { description: string }>,
  });
};

/** The options of a field that requires one of these scopes. */
export const needs = (...accessScopes: readonly AccessScope[]) => ({ accessScopes });

builder.queryType({
  description:
    'All reads. A field causes the upstream calls that its description names, once per operation.',
});
builder.mutationType({
  description:
    'All changes. A refusal is data: each payload has a list `errors`. `executed` of an error reports whether the registrar may have made the change.',
});

builder.subscriptionType({
  description: 'All streams of results, over GraphQL over SSE in distinct connections mode.',
});

/** The `t` of a field function of an object type whose parent is `Shape`. */
export type ObjectFieldBuilder<Shape> = PothosSchemaTypes.ObjectFieldBuilder<
  PothosSchemaTypes.ExtendDefaultTypes<GraphTypes>,
  Shape
>;

/** The `t` of a field function of an input type. */
export type InputFieldBuilder = Parameters<Parameters<typeof builder.inputType>[1]['fields']>[0];

export type InputRef<Shape> = PothosSchemaTypes.InputObjectRef<
  PothosSchemaTypes.ExtendDefaultTypes<GraphTypes>,
  Shape
>;

/** The `t.arg` of any field. */
export type QueryArgBuilder = PothosSchemaTypes.QueryFieldBuilder<
  PothosSchemaTypes.ExtendDefaultTypes<GraphTypes>,
  object
>['arg'];

/** The result of an object type's field function. */
export type ObjectFields = FieldMap;
