import { beforeEach, describe, expect, test } from 'vitest';
import type { Call } from '../../sandbox/service/call-log.ts';
import {
  armedFault,
  createArmedFaults,
  faultNames,
  faultOfName,
  withoutFaultPrefix,
} from '../../sandbox/service/faults.ts';

let faults: ReturnType<typeof createArmedFaults>;
beforeEach(() => {
  faults = createArmedFaults();
});

const reply = () => ({ status: 200 });
const call = (fields: Partial<Call> = {}): Call => ({
  action: 'getdetails',
  writes: false,
  run: reply,
  failure: reply,
  ...fields,
});
const bulk = (...domains: string[]) => call({ action: 'bulkcheckavailability', domains });
const arm = (fault: object) => faults.arm(armedFault.parse(fault));
/** The names of the faults that so many equal calls meet. */
const taken = (count: number, fields: Partial<Call> = {}) =>
  Array.from({ length: count }, () => faults.take(call(fields))?.fault ?? null);

describe('an armed fault', () => {
  test('skips the calls of `after`, then applies to the calls of `times`', () => {
    arm({ fault: 'busy', after: 2, times: 3 });

    expect(taken(7)).toEqual([null, null, 'busy', 'busy', 'busy', null, null]);
    expect(faults.list()).toEqual([]);
  });

  test('applies once and at once without `after` and `times`', () => {
    arm({ fault: 'busy' });

    expect(taken(2)).toEqual(['busy', null]);
  });

  test('applies in the order of arming, and the later ones count the calls of the first', () => {
    arm({ fault: 'busy' });
    arm({ fault: 'gateway', after: 2 });
    arm({ fault: 'empty' });

    expect(taken(4)).toEqual(['busy', 'empty', 'gateway', null]);
  });

  test('does not count the calls that do not match', () => {
    arm({ fault: 'busy', action: 'tldlist', after: 1 });

    expect(taken(3)).toEqual([null, null, null]);
    expect(taken(2, { action: 'tldlist' })).toEqual([null, 'busy']);
  });

  test.each([
    [{}, {}, true],
    [{ action: 'getdetails' }, {}, true],
    [{ action: 'tldlist' }, {}, false],
    [{ domain: 'a.com' }, { domain: 'a.com' }, true],
    [{ domain: 'a.com' }, { domain: 'b.com' }, false],
    [{ domain: 'a.com' }, {}, false],
    [{ domain: 'a.com' }, { domains: ['b.com', 'a.com'] }, true],
    [{ domain: 'a.com' }, { domains: ['b.com'] }, false],
    [{ domain: 'a.com', action: 'tldlist' }, { domain: 'a.com' }, false],
  ])('for %j applies to a call with %j: %s', (matcher, fields, applies) => {
    arm({ fault: 'busy', ...matcher });

    expect(taken(1, fields)).toEqual([applies ? 'busy' : null]);
    expect(faults.list()).toHaveLength(applies ? 0 : 1);
  });

  test.each(['lost-answer', 'late'])('%s waits for a call that writes', (fault) => {
    arm({ fault });

    expect(taken(1)).toEqual([null]);
    expect(taken(2, { writes: true })).toEqual([fault, null]);
  });

  test('has its settings, applies before the one of the name, and can be removed', () => {
    arm({ fault: 'code', code: '101', status: 500, ms: 7 });
    const named = call({ domain: 'gateway-maple.com' });

    expect(faults.take(named)).toMatchObject({ fault: 'code', code: '101', status: 500, ms: 7 });
    expect(faults.take(named)).toEqual({ fault: 'gateway' });
    arm({ fault: 'busy' });
    faults.clear();
    expect(faults.take(call())).toBeNull();
  });

  test.each([
    [{ fault: 'slow', after: 0, times: 1, ms: 0, status: 200 }, true],
    [{ fault: 'slow', status: 599 }, true],
    [{ fault: 'slow', status: 600 }, false],
    [{ fault: 'slow', status: 199 }, false],
    [{ fault: 'slow', after: -1 }, false],
    [{ fault: 'slow', times: 0 }, false],
    [{ fault: 'slow', times: 1.5 }, false],
    [{ fault: 'slow', ms: -1 }, false],
    [{ fault: 'slower' }, false],
    [{}, false],
  ])('as %j is accepted: %s', (fault, isAccepted) => {
    expect(armedFault.safeParse(fault).success).toBe(isAccepted);
  });
});

const selectable = faultNames.filter((name) => faultOfName(`${name}-a`) !== null);

describe('the fault of a name', () => {
  test('exists for seventeen faults, and not for those that need settings', () => {
    expect(selectable.toSorted()).toEqual(
      [
        ...['busy', 'cut', 'drip', 'empty', 'gateway', 'hang', 'html', 'late'],
        ...['lost-answer', 'maps', 'prompt', 'reset', 'slow', 'wrongtypes'],
        ...['refuse', 'refuse-200', 'refuse-after'],
      ].toSorted(),
    );
  });

  test.each(selectable)(
    '%s is selected by its prefix in any case, before another label',
    (name) => {
      expect(faultOfName(`${name}-maple.com`)).toBe(name);
      expect(faultOfName(`${name.toUpperCase()}-maple.com`)).toBe(name);
      expect(withoutFaultPrefix(`${name}-outside-shop`)).toBe('outside-shop');
      for (const other of [`${name}-`, `${name}maple.com`, `a-${name}-maple.com`, name])
        expect(faultOfName(other), other).not.toBe(name);
      expect(withoutFaultPrefix(`a-${name}-shop`)).toBe(`a-${name}-shop`);
    },
  );

  test.each(['lost-answer', 'late', 'refuse', 'refuse-200', 'refuse-after'])(
    '%s applies to writes only',
    (fault) => {
      const domain = `${fault}-maple.com`;

      expect(faults.take(call({ domain }))).toBeNull();
      expect(faults.take(call({ domain, writes: true }))).toEqual({ fault });
    },
  );

  test('applies to a whole bulk check only when it ends the connection or delays it, worst first', () => {
    const worstFirst = ['hang', 'reset', 'cut', 'drip', 'slow', 'html'] as const;
    const names = worstFirst.map((fault) => `${fault}-maple.com`);

    for (const [at, fault] of worstFirst.entries()) {
      const rest = names.slice(at);
      expect(faults.take(bulk('maple.com', ...rest.toReversed()))).toEqual({ fault });
      expect(faults.take(bulk(...rest))).toEqual({ fault });
    }
    const others = selectable.filter((name) => !worstFirst.includes(name as 'hang'));
    expect(faults.take(bulk(...others.map((name) => `${name}-maple.com`)))).toBeNull();
    expect(faults.take(call())).toBeNull();
  });
});
