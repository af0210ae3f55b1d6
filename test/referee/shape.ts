/** The kind of a value in a JSON body: its type, and for text its format in the specification. */
type Kind =
  | 'null'
  | 'boolean'
  | 'integer'
  | 'fraction'
  | 'object'
  | 'list'
  | 'flag as text'
  | 'time without a zone'
  | 'time in UTC'
  | 'decimal of four places'
  | 'text';

function kindOf(value: unknown): Kind {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'list';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'fraction';
  if (typeof value === 'string') return kindOfText(value);
  return typeof value as 'boolean' | 'object';
}

function kindOfText(text: string): Kind {
  if (/^(?:true|false)$/.test(text)) return 'flag as text';
  if (/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{1,7}$/.test(text)) return 'time without a zone';
  if (/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{1,7}Z$/.test(text)) return 'time in UTC';
  return /^\d+\.\d{4}$/.test(text) ? 'decimal of four places' : 'text';
}

/** Objects whose members are named by their content: domains, and periods in years. */
const maps = /(?:^|\.)(?:availability|pricing\.\w+)$/;

function* placesIn(value: unknown, path = ''): Generator<readonly [string, Kind]> {
  yield [path, kindOf(value)];
  if (typeof value !== 'object' || value === null) return;
  for (const [key, one] of Object.entries(value)) {
    const name = Array.isArray(value) ? '[]' : maps.test(path) ? '*' : key;
    yield* placesIn(one, path === '' ? name : `${path}.${name}`);
  }
}

/**
 * The path and kind of every value of a body, sorted: `data.Dates.Start: time without a zone`.
 *
 * Items of a list share one place, and so do the values of a map.
 */
export const shapeOf = (body: unknown): readonly string[] =>
  [...new Set([...placesIn(body)].map(([path, kind]) => `${path}: ${kind}`))].sort();
