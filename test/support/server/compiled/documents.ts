import fc from 'fast-check';
import { fieldNames } from './graph.ts';

// Documents of the test graph. They are valid by construction: a response name determines its field and arguments.

const argumentsOf: Readonly<Record<string, readonly string[]>> = {
  loaded: ['', '(key: 1)', '(key: 2)', '(key: $i)'],
  must: ['(r: 1)', '(r: $i)'],
  args: [
    ...['', '(x: 1)', '(x: $i)', '(x: null)', '(y: [1, $i])', '(y: 5)', '(y: $l)', '(y: $y)'],
    ...['(f: { a: 2, list: [1, 2] })', '(f: $f)', '(f: { a: $i, list: $l })', '(f: {}, x: $i)'],
    ...['(d: "2020-01-01")', '(d: $d)', '(c: RED)', '(c: $c)', '(f: null)', '(j: { a: [$i] })'],
  ],
};

const typeOf: Readonly<Record<string, string>> = {
  ...{ a: 'A', aMust: 'A', listA: 'A', plainA: 'A', b: 'B', listB: 'B' },
  ...{ named: 'Named', namedMust: 'Named', listNamed: 'Named' },
  ...{ any: 'Any', listAny: 'Any', byIsTypeOf: 'Other' },
};
const leaves = fieldNames.filter((name) => !(name in typeOf));
const unions: ReadonlySet<string> = new Set(['Any', 'Other']);

const aliases = ['', 'x_', 'y_'];
const conditions = ['A', 'B', 'C', 'Named', 'Any', 'Other'];
const fragmentTypes = ['Named', 'Any', 'A', 'B'];

/** Whether some object type is both. */
const areOverlapping = (one: string, other: string): boolean =>
  membersOf(one).some((name) => membersOf(other).includes(name));
const membersOf = (type: string): readonly string[] =>
  ({ Named: ['A', 'B'], Any: ['A', 'B', 'C'], Other: ['B', 'C'] })[type] ?? [type];

/** A selection set as text. Fragments after `from` may be spread in it. */
function selection(type: string, depth: number, from: number): fc.Arbitrary<string> {
  const typename = fc.constantFrom('__typename', 'x___typename: __typename');
  const spreads = fragmentTypes.flatMap((on, at) =>
    at >= from && areOverlapping(type, on) ? `...F${at}` : [],
  );
  const options: fc.WeightedArbitrary<string>[] = [{ weight: 1, arbitrary: typename }];
  if (spreads.length > 0) options.push({ weight: 2, arbitrary: fc.constantFrom(...spreads) });
  if (!unions.has(type)) options.push({ weight: 8, arbitrary: field(fc.constantFrom(...leaves)) });
  if (depth > 0) {
    const nested = fc
      .constantFrom(...Object.keys(typeOf))
      .chain((name) => field(fc.constant(name), selection(typeOf[name] ?? '', depth - 1, from)));
    const inline = fc
      .constantFrom('', ...conditions.filter((one) => areOverlapping(type, one)))
      .chain((on) =>
        selection(on || type, depth - 1, from).map((below) => `...${on && `on ${on}`} ${below}`),
      );
    if (!unions.has(type)) options.push({ weight: 6, arbitrary: nested });
    options.push({ weight: 3, arbitrary: inline });
  }
  return fc
    .array(fc.oneof(...options), { minLength: 1, maxLength: 6 })
    .map((parts) => `{ ${parts.join(' ')} }`);
}

function field(name: fc.Arbitrary<string>, below: fc.Arbitrary<string> = fc.constant('')) {
  return fc
    .tuple(name, fc.constantFrom(...aliases), fc.nat({ max: 30 }), below)
    .map(([fieldName, alias, number, selected]) => {
      const variants = argumentsOf[fieldName] ?? [''];
      const variant = number % variants.length;
      const prefix = variant === 0 ? alias : `${alias || 'z_'}${variant}_`;
      const renamed = prefix === '' ? '' : `${prefix}${fieldName}: `;
      return `${renamed}${fieldName}${variants[variant]} ${selected}`;
    });
}

const head = 'query Q($i: Int = 2, $l: [Int!], $y: [Int!] = [4], $f: Filter, $d: Day, $c: Color)';

export const documents: fc.Arbitrary<string> = fc
  .tuple(
    selection('Query', 3, 0),
    ...fragmentTypes.map((type, at) =>
      selection(type, 1, at + 1).map((set) => `fragment F${at} on ${type} ${set}`),
    ),
  )
  .map(([operation, ...fragments]) => [`${head} ${operation}`, ...fragments].join('\n'));

const sent = <T>(...values: readonly T[]) => fc.constantFrom<unknown>(...values);

export const variables: fc.Arbitrary<Readonly<Record<string, unknown>>> = fc.record(
  {
    i: sent<unknown>(5, 5, 5, null, 'text'),
    l: sent<unknown>([1, 2], [1, 2], 3, null, [null]),
    y: sent<unknown>([1], null),
    f: sent<unknown>({ list: [3] }, { a: 4 }, null, { b: 1 }),
    d: sent<unknown>('2021-02-03', '2021-02-03', null, 'never'),
    c: sent<unknown>('RED', null, 'BLUE'),
  },
  { requiredKeys: [] },
);
