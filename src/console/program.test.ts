import { expect, test } from 'vitest';
import type { Config } from '../config/config.ts';
import { chooseTenant, withRest } from './program.ts';

test.each([
  [-1, ['one', 'two']],
  [0, ['one', 'two']],
  [1, ['one', 'two', '1 more rows.']],
  [900, ['one', 'two', '900 more rows.']],
])('sentences with a rest of %i are %j', (rest, printed) => {
  expect(withRest(['one', 'two'], rest, 'rows')).toEqual(printed);
});

test.each([
  [['default'], null, 'default'],
  [['default'], 'default', 'default'],
  [['default'], 'north', null],
  [['north', 'south'], 'south', 'south'],
  [['north', 'south'], null, null],
])('of the tenants %j the name %j chooses %j', (names, name, chosen) => {
  const config = { tenants: names.map((one) => ({ name: one })) } as unknown as Config;
  const choose = () => chooseTenant(config, name).name;

  if (chosen) expect(choose()).toBe(chosen);
  else expect(choose).toThrow(`--tenant with one of ${names.join(', ')}`);
});
