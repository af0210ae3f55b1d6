import { expect, test } from 'vitest';
import { configOf } from '../../../test/support/own-config.ts';
import { supergraphSettings } from './settings.ts';

const prefixOf = (text: string) =>
  supergraphSettings.of(configOf({ TYPE_PREFIX: text })).TYPE_PREFIX;

test('without settings the graph is not a subgraph, and its types have no prefix', () => {
  expect(supergraphSettings.of(configOf({}))).toEqual({ SUBGRAPH: false, TYPE_PREFIX: '' });
});

test.each(['A', `A${'b'.repeat(39)}`, 'A1z'])('the prefix %s is accepted', (text) => {
  expect(prefixOf(text)).toBe(text);
});

test.each(['a', `A${'b'.repeat(40)}`, '1A', 'A_', '-A', 'A b'])(
  'the prefix %s is refused',
  (text) => {
    expect(() => prefixOf(text)).toThrow(/TYPE_PREFIX must be up to 40 letters and digits/);
  },
);
