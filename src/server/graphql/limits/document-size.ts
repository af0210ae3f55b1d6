import {
  type DirectiveNode,
  type DocumentNode,
  type FragmentDefinitionNode,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql';
import { documentLimits } from './limits.ts';

/** The size of an operation or a fragment. Spread fragments count as often as they are spread. */
export interface Size {
  /** Depth of nested fields. */
  readonly depth: number;
  /** Depth of nested fragment spreads. */
  readonly chain: number;
  readonly fields: number;
  /** Fields of its own level, including those of inline and spread fragments. */
  readonly topFields: number;
  readonly aliases: number;
  readonly directives: number;
  /** The largest number of directives at one place. */
  readonly directivesHere: number;
  /** The largest number of times that one selection repeats a field. */
  readonly sameField: number;
}

type Counted = { -readonly [Name in keyof Size]: Size[Name] };

const nothing: Size = {
  ...{ depth: 0, chain: 0, fields: 0, topFields: 0 },
  ...{ aliases: 0, directives: 0, directivesHere: 0, sameField: 0 },
};

/**
 * Measures parts of a document. Each fragment is measured once, so the time is linear even if fragments multiply. The
 * recursion is as deep as brackets and fragments are nested, which earlier checks limit.
 */
export function createSizes(document: DocumentNode) {
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const one of document.definitions) {
    if (one.kind === Kind.FRAGMENT_DEFINITION) fragments.set(one.name.value, one);
  }
  const known = new Map<string, Size>();

  const ofFragment = (name: string): Size => {
    const before = known.get(name);
    if (before) return before;
    const fragment = fragments.get(name);
    if (!fragment) return nothing;
    // Validation refuses a cycle; here the recursion only has to end.
    known.set(name, nothing);
    const size = ofDefinition(fragment);
    known.set(name, size);
    return size;
  };

  const ofSelections = ({ selections }: SelectionSetNode): Size => {
    const sum: Counted = { ...nothing };
    const times = new Map<string, number>();
    for (const selection of selections) {
      addDirectives(sum, selection.directives);
      if (selection.kind === Kind.FIELD) {
        const inside = selection.selectionSet ? ofSelections(selection.selectionSet) : nothing;
        const { value } = selection.alias ?? selection.name;
        times.set(value, (times.get(value) ?? 0) + 1);
        sum.aliases += selection.alias ? 1 : 0;
        sum.topFields += 1;
        add(sum, { ...inside, topFields: 0, depth: inside.depth + 1, fields: inside.fields + 1 });
      } else if (selection.kind === Kind.INLINE_FRAGMENT) {
        add(sum, ofSelections(selection.selectionSet));
      } else {
        const spread = ofFragment(selection.name.value);
        add(sum, { ...spread, chain: spread.chain + 1 });
      }
    }
    sum.sameField = Math.max(sum.sameField, ...times.values());
    return sum;
  };

  const ofDefinition = (one: OperationDefinitionNode | FragmentDefinitionNode): Size => {
    const size: Counted = { ...ofSelections(one.selectionSet) };
    addDirectives(size, one.directives);
    for (const variable of one.variableDefinitions ?? []) addDirectives(size, variable.directives);
    return size;
  };

  return { ofDefinition };
}

/** Sums stop here, far above all limits, because repeated doubling would exceed the range of numbers. */
const maxCount = 1_000_000;
const plus = (one: number, other: number) => Math.min(maxCount, one + other);

function add(sum: Counted, part: Size): void {
  for (const name of ['fields', 'topFields', 'aliases', 'directives'] as const) {
    sum[name] = plus(sum[name], part[name]);
  }
  for (const name of ['depth', 'chain', 'directivesHere', 'sameField'] as const) {
    sum[name] = Math.max(sum[name], part[name]);
  }
}

function addDirectives(sum: Counted, directives: readonly DirectiveNode[] = []): void {
  sum.directives = plus(sum.directives, directives.length);
  sum.directivesHere = Math.max(sum.directivesHere, directives.length);
}

/** The limit of each measure. */
export const limitOf = {
  depth: documentLimits.depth,
  chain: documentLimits.fragmentChain,
  fields: documentLimits.fields,
  sameField: documentLimits.sameField,
  aliases: documentLimits.aliases,
  topFields: documentLimits.rootFields,
  directives: documentLimits.directives,
  directivesHere: documentLimits.directivesHere,
} as const satisfies Record<keyof Size, (typeof documentLimits)[keyof typeof documentLimits]>;
