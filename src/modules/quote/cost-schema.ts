import type { ShapeFromTypeParam, TypeParam } from '@pothos/core';
import { mayKnowCosts } from '../../kernel/caller.ts';
import { confidential } from '../../kernel/schema-extensions.ts';
import type { GraphTypes, ObjectFieldBuilder } from '../../schema/builder.ts';
import type { Scope } from '../../scope/scope.ts';

type CostTypes = PothosSchemaTypes.ExtendDefaultTypes<GraphTypes>;

/** A cost beside its price, or several; null for a caller without the scope. */
export const costField = <Shape, Type extends TypeParam<CostTypes>>(
  t: ObjectFieldBuilder<Shape>,
  type: Type,
  description: string,
  costOf: (
    parent: Shape,
    use: Scope['use'],
  ) =>
    | ShapeFromTypeParam<CostTypes, Type, true>
    | Promise<ShapeFromTypeParam<CostTypes, Type, true>>,
  extensions: Readonly<Record<string, unknown>> = {},
) =>
  t.field({
    type: type as 'String',
    nullable: true,
    description: `${description} Null without the scope \`prices:cost\`.`,
    extensions: { ...confidential, ...extensions },
    resolve: (parent, _args, { caller, use }) =>
      (mayKnowCosts(caller) ? costOf(parent as Shape, use) : null) as never,
  });
