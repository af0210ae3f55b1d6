import { describe, expect, test } from 'vitest';
import { readConfig } from '../config/config.ts';
import { featureSettings } from '../config/feature-settings.ts';
import * as format from '../config/formats.ts';
import type { Environment } from '../config/read-values.ts';
import type { Feature } from '../seam/feature.ts';
import { selectSettings } from './read-config.ts';

const tides = featureSettings({
  title: 'Tides',
  rows: {
    TIDE_HOURS: { description: 'Hours of a tide.', ...format.number(1, 24, 12) },
    TIDE_KEY: { description: 'A key.', secret: true, schema: format.keyText.optional() },
  },
  check: ({ TIDE_HOURS }, { isLive, has }) => ({
    errors: [isLive && TIDE_HOURS > 20 && 'TIDE_HOURS is too long for live use.'],
    warnings: [has('TIDE_KEY') && TIDE_HOURS === 1 && 'TIDE_KEY has no effect.'],
  }),
});
const all: readonly Feature[] = [
  { name: 'tide', uses: [], settings: tides },
  { name: 'moon', uses: ['tide'] },
];

const read = (env: Environment) =>
  readConfig(
    { KEYS_FILE: '/no/such/folder/keys.json', ...env },
    { featuresOf: (found) => selectSettings(all, found) },
  );

describe('the settings of a feature', () => {
  test('have the values of their rows, with their defaults', () => {
    expect(tides.of(read({}))).toEqual({ TIDE_HOURS: 12, TIDE_KEY: undefined });
    expect(tides.of(read({ TIDE_HOURS: '3' })).TIDE_HOURS).toBe(3);
  });

  test('have their defaults in a configuration that was read without them', () => {
    expect(tides.of({ featureValues: {} }).TIDE_HOURS).toBe(12);
  });

  test.each<[Environment, string]>([
    [{ TIDE_HOURS: 'x' }, 'TIDE_HOURS must be a whole number from 1 to 24; it is "x".'],
    [
      { TIDE_HOURS: '24', UPSTREAM: 'live', API_KEY: 'sixteen-characters' },
      'TIDE_HOURS is too long for live use.',
    ],
    [
      { FEATURES: 'none', TIDE_HOURS: '3' },
      'TIDE_HOURS is a setting of the feature tide, which FEATURES leaves out: remove the setting, or add the feature.',
    ],
    [
      { FEATURES: '-tide,-moon', TIDE_KEY_FILE: '/key' },
      'TIDE_KEY is a setting of the feature tide, which FEATURES leaves out: remove the setting, or add the feature.',
    ],
    [{ FEATURES: 'moon' }, 'FEATURES has moon, which needs tide. Set FEATURES=tide,moon instead.'],
    [{ FEATURES: 'tides' }, 'FEATURES has unknown names: tides. There are tide, moon.'],
  ])('%j is refused with one sentence', (env, sentence) => {
    expect(() => read(env)).toThrow(sentence);
  });

  test('a blank one counts as absent, also of a feature that is left out', () => {
    expect(tides.of(read({ TIDE_HOURS: ' ' })).TIDE_HOURS).toBe(12);
    expect(() => read({ FEATURES: 'none', TIDE_HOURS: ' ' })).not.toThrow();
  });

  test('warn, and a similar name is suggested', () => {
    const key = 'sixteen-characters';

    expect(read({ TIDE_HOURS: '1', TIDE_KEY: key }).warnings).toEqual(['TIDE_KEY has no effect.']);
    expect(read({ TIDE_HOUR: '1' }).warnings).toEqual([
      'TIDE_HOUR is not a setting and is ignored; did you mean TIDE_HOURS?',
    ]);
    expect(read({ TIDE_HOUR: '1', FEATURES: 'none' }).warnings).toEqual([]);
  });
});
