import { mayKnowCosts } from '../../kernel/caller.ts';
import type { Money } from '../../kernel/money.ts';
import { confidential } from '../../kernel/public-data.ts';
import type { ObjectFieldBuilder } from '../../schema/builder.ts';
import { MoneyRef } from '../../schema/values.ts';

/** A cost beside its price; null for a caller without the scope. */
export const costField = <Shape>(
  t: ObjectFieldBuilder<Shape>,
  description: string,
  costOf: (parent: Shape) => Money | null,
) =>
  t.field({
    type: MoneyRef,
    nullable: true,
    description: `${description} Null without the scope \`prices:cost\`.`,
    extensions: confidential,
    resolve: (parent, _args, { caller }) => (mayKnowCosts(caller) ? costOf(parent as Shape) : null),
  });

/** Several costs, one for each currency; null for a caller without the scope. */
export const costsField = <Shape>(
  t: ObjectFieldBuilder<Shape>,
  description: string,
  costsOf: (parent: Shape) => readonly Money[],
) =>
  t.field({
    type: [MoneyRef],
    nullable: true,
    description: `${description} Null without the scope \`prices:cost\`.`,
    extensions: confidential,
    resolve: (parent, _args, { caller }) =>
      mayKnowCosts(caller) ? [...costsOf(parent as Shape)] : null,
  });
