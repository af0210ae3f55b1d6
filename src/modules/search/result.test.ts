import { array, assert, boolean, double, integer, property, record, tuple } from 'fast-check';
import { expect, test } from 'vitest';
import { FirstResults } from './result.ts';

interface Name {
  readonly position: number;
  readonly counts: boolean;
  readonly fits: boolean;
  /** The names become known in this order. */
  readonly arrival: number;
}

const namesOfPlan = array(
  record({ counts: boolean(), fits: boolean(), arrival: double({ noNaN: true }) }),
  { maxLength: 40 },
).map((all) => all.map((one, position): Name => ({ ...one, position })));

test('each of the first results is sent once, as soon as no reply can displace it', () => {
  assert(
    property(tuple(namesOfPlan, integer({ min: 1, max: 20 })), ([plan, size]) => {
      const own = plan.filter(({ counts }) => counts);
      const first = new FirstResults<Name>(
        plan.map(({ counts }) => counts),
        size,
      );
      const known = new Set<Name>();
      const sent: Name[] = [];
      const surelyFirst = (name: Name) =>
        known.has(name) &&
        name.fits &&
        own.filter((one) => one.position < name.position && (one.fits || !known.has(one))).length <
          size;

      for (const name of own.toSorted((one, other) => one.arrival - other.arrival)) {
        known.add(name);
        sent.push(...first.settle(name.position, name.fits ? name : null));
        expect(sent.toSorted((one, other) => one.position - other.position)).toEqual(
          own.filter(surelyFirst),
        );
      }

      const list = own.filter(({ fits }) => fits).slice(0, size);
      expect(new Set(sent)).toEqual(new Set(list));
      expect(sent).toHaveLength(list.length);
    }),
  );
});
