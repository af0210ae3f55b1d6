import { astFromValue, type GraphQLField, isObjectType, print } from 'graphql';
import { schema } from '../../src/app/graph.ts';
import type { RootSample } from './all.ts';
import type { Arguments } from './sample.ts';
import type { Target } from './target.ts';

/** Every member of an error. */
export const errors =
  'errors { code message path executed retryable upstreamCode upstreamMessage }';

/** The root field of a name such as `Query.domain`. @throws Error for another name */
export function rootField(name: string): GraphQLField<unknown, unknown> {
  const [type = '', field = ''] = name.split('.');
  const parent = schema.getType(type);
  const found = isObjectType(parent) ? parent.getFields()[field] : undefined;
  if (!found) throw new Error(`The graph has no field ${name}.`);
  return found;
}

/** The arguments of a field as text, such as `(name: "a.com")`. */
export function argumentsText({ args }: GraphQLField<unknown, unknown>, values: Arguments): string {
  const texts = args.flatMap(({ name, type }) => {
    const value = astFromValue(values[name], type);
    return value ? `${name}: ${print(value)}` : [];
  });
  return texts.length > 0 ? `(${texts.join(', ')})` : '';
}

/** The requests of a sample about a target. */
export function requestsOf({ args }: Pick<RootSample, 'args'>, target: Target) {
  const requests = args(target);
  return Array.isArray(requests) ? (requests as readonly Arguments[]) : [requests as Arguments];
}

const selectionOf = ({ field, select = '' }: RootSample): string =>
  `{ ${select} ${field.startsWith('Mutation') ? errors : ''} }`;

/** The document of a sample about a target. Its field has aliases when the sample has several requests. */
export function documentOf(sample: RootSample, target: Target): string {
  const [type = '', name = ''] = sample.field.split('.');
  const field = rootField(sample.field);
  const requests = requestsOf(sample, target);
  const fields = requests.map((values, at) => {
    const alias = requests.length > 1 ? `a${at}: ` : '';
    return `${alias}${name}${argumentsText(field, values)} ${selectionOf(sample)}`;
  });
  return `${type.toLowerCase()} { ${fields.join(' ')} }`;
}

/** The document of a sample with a variable for each argument, of its name. */
export function documentWithVariables(sample: RootSample): string {
  const [type = '', name = ''] = sample.field.split('.');
  const { args } = rootField(sample.field);
  const declared = args.map((one) => `$${one.name}: ${one.type}`).join(', ');
  const passed = args.map((one) => `${one.name}: $${one.name}`).join(', ');
  return `${type.toLowerCase()} (${declared}) { ${name}(${passed}) ${selectionOf(sample)} }`;
}
