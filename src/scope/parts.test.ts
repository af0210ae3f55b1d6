import { describe, expect, test } from 'vitest';
import { type Fill, fill, fillsOf, type Key, Parts, unfilled } from './parts.ts';

interface Context {
  readonly use: <Part>(key: Key<Context, Part>) => Part;
}

function createContext() {
  const context: Context = { use: (key) => parts.use(key) };
  const parts = new Parts(context);
  return parts;
}

const keyOf = <Part>(
  name: string,
  create: (context: Context) => Part,
  isOfUpdate = false,
): Key<Context, Part> => ({ name, level: 'REQUEST', create, isOfUpdate });

describe('a part', () => {
  test('is created once, with the parts that it uses', () => {
    let created = 0;
    const low = keyOf('low', () => {
      created += 1;
      return { at: created };
    });
    const high = keyOf('high', ({ use }) => ({ low: use(low) }));
    const parts = createContext();

    expect(parts.use(high).low).toBe(parts.use(low));
    expect(parts.use(high)).toBe(parts.use(high));
    expect(created).toBe(1);
    expect(createContext().use(low)).toEqual({ at: 2 });
  });

  test('that needs itself is refused with the names, and can be created after a failed attempt', () => {
    let fails = true;
    const keys: Record<string, Key<Context, unknown>> = {};
    const named = (name: string) => keys[name] as Key<Context, unknown>;
    keys.one = keyOf('one', ({ use }) => (fails ? use(named('two')) : 'one'));
    keys.two = keyOf('two', ({ use }) => use(named('one')));
    const parts = createContext();

    expect(() => parts.use(named('one'))).toThrow('need each other: one > two > one.');
    fails = false;
    expect(parts.use(named('two'))).toBe('one');
  });

  test('of an update is created again for the next one, the others remain', () => {
    const [all, update] = [keyOf('all', () => ({})), keyOf('update', () => ({}), true)];
    const parts = createContext();
    const before = [parts.use(all), parts.use(update)];

    parts.beginUpdate();

    expect(parts.use(all)).toBe(before[0]);
    expect(parts.use(update)).not.toBe(before[1]);
  });
});

describe('a hook', () => {
  const gate = keyOf('gate', unfilled('gate'));
  const log = keyOf('log', () => 'default');
  const use = (fills: readonly Fill[], key: Key<Context, string>) => {
    const context: Context = { use: (one) => parts.use(one) };
    const parts = new Parts(context, fillsOf(fills));
    return parts.use(key);
  };

  test('has the part of the capability that fills it in this gateway', () => {
    expect(use([fill(gate, () => 'filled')], gate)).toBe('filled');
    expect(use([], log)).toBe('default');
  });

  test('that none or two capabilities fill is an error with its name', () => {
    expect(() => use([], gate)).toThrow('No capability fills the hook "gate".');
    const fills = [fill(gate, () => 'one'), fill(gate, () => 'two')];
    expect(() => use(fills, gate)).toThrow('Two capabilities fill the hook "gate".');
  });
});
