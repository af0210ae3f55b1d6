interface Limit {
  readonly most: number;
  /** The counted items, as messages and documentation name them. */
  readonly what: string;
}

/** Limits of a document. Fragments count as often as they are spread. */
export const documentLimits = {
  tokens: { most: 5_000, what: 'tokens' },
  nesting: { most: 60, what: 'brackets inside one another' },
  fragments: { most: 100, what: 'fragments' },
  fragmentChain: { most: 15, what: 'fragments inside one another' },
  operations: { most: 20, what: 'operations' },
  variables: { most: 100, what: 'variables of one operation' },
  depth: { most: 20, what: 'fields inside one another' },
  fields: { most: 1_000, what: 'fields of one operation' },
  sameField: { most: 100, what: 'times the same field in one selection' },
  rootFields: { most: 60, what: 'root fields of one operation' },
  aliases: { most: 60, what: 'aliases of one operation' },
  directives: { most: 100, what: 'directives of one operation' },
  directivesHere: { most: 5, what: 'directives at one place' },
  listItems: { most: 500, what: 'items of one list' },
} as const satisfies Record<string, Limit>;

/** Limits of the JSON in a body or in a parameter of a GET. */
export const jsonLimits = {
  depth: { most: 20, what: 'objects and lists inside one another' },
  keys: { most: 5_000, what: 'keys' },
  listItems: { most: 10_000, what: 'items of one list' },
} as const satisfies Record<string, Limit>;

/** The message for an exceeded limit; `count` is null when counting stopped early. */
export const excessSentence = (
  subject: string,
  { most, what }: Limit,
  count: number | null,
): string =>
  `${subject} may have at most ${most} ${what}; this one has ${count === null ? 'more' : count}.`;

/** Members of every JavaScript object, and members with a special meaning. The schema uses none of them. */
const reserved: ReadonlySet<string> = new Set([
  ...Object.getOwnPropertyNames(Object.prototype),
  'prototype',
  'then',
  'toJSON',
]);

export const isReserved = (name: string): boolean => reserved.has(name);

export const reservedSentence = (name: string): string =>
  `"${name}" is a reserved name; choose another one.`;
