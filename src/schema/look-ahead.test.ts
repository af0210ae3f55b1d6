import { type FieldNode, type FragmentDefinitionNode, Kind, parse } from 'graphql';
import { describe, expect, test } from 'vitest';
import { variableValuesOf } from '../lib/graphql-js.ts';
import { fieldsBelow, fieldsIn } from './look-ahead.ts';

const read = (document: string, variableValues: Record<string, unknown> = {}) => {
  const { definitions } = parse(document);
  const fragments: Record<string, FragmentDefinitionNode> = {};
  let selections: readonly FieldNode[] = [];
  for (const definition of definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments[definition.name.value] = definition;
    if (definition.kind === Kind.OPERATION_DEFINITION) {
      selections = definition.selectionSet.selections as readonly FieldNode[];
    }
  }
  return { selections, facts: { fragments, variableValues: variableValuesOf(variableValues) } };
};
const namesIn = (document: string, variables?: Record<string, unknown>) => {
  const { selections, facts } = read(document, variables);
  return [...fieldsIn(selections, facts)].map(({ name }) => name.value);
};

describe('the selected fields', () => {
  test.each([
    ['{ a b }', ['a', 'b']],
    ['{ a ... { b ... on T { c } } }', ['a', 'b', 'c']],
    ['{ ...F } fragment F on T { a ...G } fragment G on T { b }', ['a', 'b']],
    ['{ ...Unknown a }', ['a']],
    ['{ a @skip(if: true) b @skip(if: false) c @include(if: false) }', ['b']],
    ['{ ... @skip(if: true) { a } ...F @include(if: false) } fragment F on T { b }', []],
    ['query ($v: Boolean) { a @skip(if: $v) b @include(if: $v) c @other }', ['b', 'c']],
  ])('of %s are %j', (document, names) => {
    expect(namesIn(document, { v: true })).toEqual(names);
  });

  test('are none without a selection', () => {
    expect([...fieldsIn(undefined, read('{ a }').facts)]).toEqual([]);
  });

  test('below several fields are grouped by name', () => {
    const { selections, facts } = read('{ a { x y } b { x } c }');

    const below = fieldsBelow(selections, facts);

    expect([...below].map(([name, all]) => [name, all.length])).toEqual([
      ['x', 2],
      ['y', 1],
    ]);
  });
});
