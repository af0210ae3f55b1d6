import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { tldWith } from '../../../test/support/modules/tlds.ts';
import { type DomainName, parseDomainName } from '../../kernel/domain-name.ts';
import { asFault, Fault } from '../../kernel/faults.ts';
import { CallBudget } from '../../kernel/upstream-calls.ts';
import { systemClock } from '../../lib/system.ts';
import type { CallOptions } from '../../upstream/client/operation.ts';
import { type Offers, offersReply } from '../../upstream/domain-api/availability-shapes.ts';
import { labelFault } from '../tld/loader.ts';
import {
  availabilityOf,
  type CheckTogetherOptions,
  createCheckTogether,
  IdnRefusals,
  isUnanswered,
} from './check.ts';
import { createAvailabilityLoader } from './loader.ts';

const name = parseDomainName('maple.com');
const [idn, idnToo, idnNet] = ['bücher.com', 'größe.com', 'bücher.net'].map(parseDomainName) as [
  ...[DomainName, DomainName, DomainName],
];
const lookalike = parseDomainName('оса.com');

const offersOf = (changes: object = {}): Offers =>
  offersReply([
    { Status: 'available', Price: '10', Currency: 'USD', Period: 1, IsFee: false, ...changes },
  ]) ?? [];
const free = offersOf();
const idnRefusal = new Fault('IDN_UNSUPPORTED');

interface Account {
  /** The entries of single and bulk checks; none for a name that a reply omits. */
  readonly offers?: Readonly<Record<string, Offers | undefined>>;
  /** The entries of single checks. */
  readonly alone?: Readonly<Record<string, Offers>>;
  readonly callFails?: Error;
  readonly tldsFail?: Error;
  readonly status?: string;
  readonly isListAtHand?: boolean;
}

function start({
  offers = {},
  alone = {},
  callFails,
  tldsFail,
  status = 'Active',
  isListAtHand = false,
}: Account = {}) {
  const calls: (readonly [names: readonly string[], options: CallOptions])[] = [];
  let listReads = 0;
  const api = {
    async checkNames(names: readonly string[], options: CallOptions) {
      calls.push([names, options]);
      if (callFails) return names.map(() => asFault(callFails));
      return names.map((one) => (names.length === 1 && alone[one]) || offers[one]);
    },
  };
  const aboveOf = (one: DomainName) => {
    const [label = '', name = ''] = one.split('.');
    const tld = tldWith(name, { status, minchar: 3 });
    return name === 'unsold' ? null : { label, tld, labelFault: labelFault(one, label, tld) };
  };
  const above = async (one: DomainName) => {
    listReads += 1;
    if (tldsFail) throw tldsFail;
    return aboveOf(one);
  };
  const idnRefusals = new IdnRefusals(systemClock);
  const atHand = async () => (isListAtHand ? aboveOf : null);
  const together = createCheckTogether({ api, tlds: { above, atHand }, idnRefusals });
  const check = async (names: readonly DomainName[], options: CheckTogetherOptions = {}) =>
    (await together(names, options)).map(({ state, fault }) =>
      fault ? `${state} ${fault.code}` : state,
    );
  return {
    ...{ check, together, idnRefusals },
    calls: () => calls.map(([names]) => names),
    options: () => calls.map(([, options]) => options),
    listReads: () => listReads,
  };
}

describe('the result for a name is', () => {
  test.each<[string, Offers | undefined, string]>([
    ['AVAILABLE with an offer', free, 'AVAILABLE'],
    ['TAKEN', offersOf({ Status: 'notavailable' }), 'TAKEN'],
    [
      'UNKNOWN for a status that is not known',
      offersOf({ Status: 'maybe' }),
      'UNKNOWN UPSTREAM_PROTOCOL',
    ],
    ['UNKNOWN without a premium flag', offersOf({ IsFee: 'maybe' }), 'UNKNOWN UPSTREAM_PROTOCOL'],
    ['TAKEN without a premium flag', offersOf({ Status: 'notavailable', IsFee: 'maybe' }), 'TAKEN'],
    ['UNKNOWN without an entry', undefined, 'UNKNOWN UPSTREAM_PROTOCOL'],
    ['UNKNOWN with an empty entry', [], 'UNKNOWN UPSTREAM_PROTOCOL'],
    ['UNKNOWN after a failure', new Fault('RATE_LIMITED'), 'UNKNOWN RATE_LIMITED'],
    ...(['INVALID_INPUT', 'TLD_UNSUPPORTED', 'IDN_UNSUPPORTED', 'RESERVED'] as const).map(
      (code): [string, Offers, string] => [
        `INVALID after ${code}`,
        new Fault(code),
        `INVALID ${code}`,
      ],
    ),
    ['AVAILABLE with an offer for it', offersOf({ DomainName: 'maple', TLD: 'com' }), 'AVAILABLE'],
    [
      'AVAILABLE with an offer for its whole name',
      offersOf({ DomainName: 'MAPLE.com' }),
      'AVAILABLE',
    ],
    [
      'UNKNOWN with an offer for another name',
      offersOf({ DomainName: 'elm', TLD: 'com' }),
      'UNKNOWN UPSTREAM_PROTOCOL',
    ],
    [
      'UNKNOWN with an offer under another TLD',
      offersOf({ DomainName: 'maple', TLD: 'net' }),
      'UNKNOWN UPSTREAM_PROTOCOL',
    ],
    [
      'that of its own offer',
      [
        ...(offersOf({ DomainName: 'elm', TLD: 'com' }) as []),
        ...(offersOf({ DomainName: 'maple', TLD: 'com', Status: 'notavailable' }) as []),
      ],
      'TAKEN',
    ],
  ])('%s', (_what, offers, expected) => {
    const { state, fault } = availabilityOf(name, offers);

    expect(fault ? `${state} ${fault.code}` : state).toBe(expected);
  });

  test('that of an offer in Unicode', () => {
    expect(availabilityOf(idn, offersOf({ DomainName: 'Bücher', TLD: 'com' })).state).toBe(
      'AVAILABLE',
    );
  });

  test.each<[string, Offers | undefined, boolean, boolean]>([
    ['an omission', undefined, true, true],
    [
      'a refusal without a code',
      new Fault('UPSTREAM_REJECTED', { upstream: { code: '', message: 'No.' } }),
      true,
      false,
    ],
    [
      'a refusal',
      new Fault('UPSTREAM_REJECTED', { upstream: { code: 'A', message: 'No.' } }),
      false,
      false,
    ],
    [
      'an offer that cannot be read',
      offersOf({ IsFee: 'maybe' }),
      availabilityOf(name, offersOf({ IsFee: 'maybe' })).fault?.retryable ?? false,
      false,
    ],
  ])('retryable after %s', (_what, offers, retryable, unanswered) => {
    const result = availabilityOf(name, offers);

    expect(result.fault?.retryable).toBe(retryable);
    expect(isUnanswered(result)).toBe(unanswered);
  });
});

describe('names that are checked together', () => {
  test('are one call without those that are known to be refused', async () => {
    const { check, calls, idnRefusals } = start({ offers: { [name]: free } });
    idnRefusals.learn(idn);

    expect(await check([lookalike, name, idn])).toEqual([
      ...['INVALID INVALID_INPUT', 'AVAILABLE', 'INVALID IDN_UNSUPPORTED'],
    ]);
    expect(calls()).toEqual([[name]]);
    expect(await check([idn])).toEqual(['INVALID IDN_UNSUPPORTED']);
    expect(calls()).toHaveLength(1);
  });

  test('are UNKNOWN when their call fails, for no second call', async () => {
    const { check, calls } = start({ callFails: new Fault('UPSTREAM_TIMEOUT') });

    expect(await check([name, idn])).toEqual(Array(2).fill('UNKNOWN UPSTREAM_TIMEOUT'));
    expect(calls()).toHaveLength(1);
  });

  test('fail with a bug', async () => {
    await expect(start({ callFails: new Error('a bug') }).check([name])).rejects.toThrow('a bug');
  });

  test('teach which TLDs refuse non-ASCII letters', async () => {
    const { check, idnRefusals } = start({ offers: { [idn]: idnRefusal, [name]: free } });
    await check([idn, name]);

    expect([idn, idnToo, idnNet].map((one) => idnRefusals.refuses(one))).toEqual([
      ...[true, true, false],
    ]);
  });

  test('teach nothing about letters by another refusal', async () => {
    const { check, idnRefusals } = start({ offers: { [idn]: new Fault('RESERVED') } });
    await check([idn, name]);

    expect(idnRefusals.mayRefuse(idn)).toBe(false);
  });
});

describe('a name that a reply omits', () => {
  test.each<[string, string, Account, string]>([
    ['INVALID for the length of its label', 'ab.com', {}, 'INVALID INVALID_INPUT'],
    ['INVALID under a TLD that is not sold', 'maple.unsold', {}, 'INVALID TLD_UNSUPPORTED'],
    [
      'INVALID under a suspended TLD',
      'maple.com',
      { status: 'Suspended' },
      'INVALID TLD_UNSUPPORTED',
    ],
    ['UNKNOWN otherwise', 'maple.com', {}, 'UNKNOWN UPSTREAM_PROTOCOL'],
    [
      'UNKNOWN without a price list',
      'ab.com',
      { tldsFail: new Fault('UPSTREAM_TIMEOUT') },
      'UNKNOWN UPSTREAM_PROTOCOL',
    ],
  ])('is %s', async (_what, omitted, account, expected) => {
    const { check, calls } = start({ ...account, offers: { [idnNet]: free } });

    expect(await check([parseDomainName(omitted), idnNet])).toEqual([expected, 'AVAILABLE']);
    expect(calls()).toHaveLength(1);
  });

  test('fails the check with a bug, or with the reason of an abort', async () => {
    const leaving = new AbortController();
    const failing = start({ tldsFail: new Error('a bug') });
    await expect(failing.check([name])).rejects.toThrow('a bug');
    leaving.abort(new Error('gone'));
    const aborted = start({ tldsFail: new Fault('UPSTREAM_TIMEOUT') });

    await expect(aborted.check([name], { signal: leaving.signal })).rejects.toThrow('gone');
  });

  test('costs no price list when every name has an entry', async () => {
    const { check, listReads } = start({ offers: { [name]: new Fault('RATE_LIMITED') } });
    await check([name]);

    expect(listReads()).toBe(0);
  });

  test('is checked alone for its letters, in a call of its own', async () => {
    const { check, calls, options } = start({
      ...{ offers: { [name]: free }, alone: { [idn]: offersOf({ Status: 'notavailable' }) } },
    });
    const client = { requestId: 'one', shared: true };

    expect(await check([idn, name], client)).toEqual(['TAKEN', 'AVAILABLE']);
    expect(calls()).toEqual([[idn, name], [idn]]);
    expect(options()[1]).toEqual({ ...client, shared: false, joins: false });
  });

  test('is checked alone once for all names under its TLD, when it is refused', async () => {
    const { check, calls } = start({ offers: { [idnNet]: free }, alone: { [idn]: idnRefusal } });

    expect(await check([idn, idnToo, idnNet])).toEqual([
      ...['INVALID IDN_UNSUPPORTED', 'INVALID IDN_UNSUPPORTED', 'AVAILABLE'],
    ]);
    expect(calls()).toEqual([[idn, idnToo, idnNet], [idn]]);
  });

  test('is checked alone beside those under other TLDs', async () => {
    const { check, calls } = start({ alone: { [idn]: free, [idnNet]: free } });

    expect(await check([idn, idnNet])).toEqual(['AVAILABLE', 'AVAILABLE']);
    expect(calls().slice(1)).toEqual([[idn], [idnNet]]);
  });

  test('is UNKNOWN and retryable after three others were checked alone, until they are known', async () => {
    const names = ['com', 'net', 'org', 'info', 'biz'].map((tld) =>
      parseDomainName(`bücher.${tld}`),
    );
    const refused = Object.fromEntries(names.map((one) => [one, idnRefusal]));
    const { together, calls } = start({ alone: refused });
    const [, , , info, biz] = names;

    const unknown = (await together(names, {})).slice(3);

    expect(calls().slice(1)).toEqual(names.slice(0, 3).map((one) => [one]));
    expect(unknown.map(({ state, fault }) => [state, fault?.retryable])).toEqual([
      ...[
        ['UNKNOWN', true],
        ['UNKNOWN', true],
      ],
    ]);
    const later = await together(names, {});
    expect(later.map(({ state }) => state)).toEqual(Array(5).fill('INVALID'));
    expect(calls().slice(4)).toEqual([[info, biz], [info], [biz]]);
  });

  test('is checked alone when its entry is a refusal without a code', async () => {
    const upstream = { code: '', message: 'No.' };
    const refused = new Fault('UPSTREAM_REJECTED', { upstream });
    const { check } = start({ offers: { [idn]: refused, [name]: free }, alone: { [idn]: free } });

    expect(await check([idn, name])).toEqual(['AVAILABLE', 'AVAILABLE']);
  });

  test.each<[string, readonly DomainName[], CheckTogetherOptions]>([
    ['it was checked alone', [idn], {}],
    ['its search leaves it out', [idn, name], { mayCheckAlone: () => false }],
    ['no call is left for it', [idn, name], { budget: new CallBudget(0) }],
  ])('is not checked alone when %s, and may be refused from then on', async (_what, names, how) => {
    const { check, calls, idnRefusals } = start({ offers: { [name]: free } });

    expect((await check(names, how))[0]).toBe('UNKNOWN UPSTREAM_PROTOCOL');
    expect(calls()).toHaveLength(1);
    expect([idnRefusals.mayRefuse(idn), idnRefusals.refuses(idn)]).toEqual([true, false]);
  });

  test('takes a spare call of the budget for its own check', async () => {
    const { check } = start({ offers: { [name]: free } });
    const budget = new CallBudget(2);
    await check([idn, name], { budget });

    expect(budget.spare).toBe(1);
  });
});

test('the result of several offers does not depend on their order, and repetitions count once', () => {
  const offered = fc.record({
    Status: fc.constantFrom('available', 'notavailable', 'reserved'),
    Price: fc.constantFrom('10', '10.0000', '12', ''),
    IsFee: fc.boolean(),
  });
  const shuffled = fc
    .array(offered, { minLength: 1, maxLength: 3 })
    .chain((all) =>
      fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length })),
    );
  const resultOf = (all: readonly object[]) => {
    const { state, fault, offer } = availabilityOf(
      name,
      all.flatMap((one) => offersOf(one) as []),
    );
    return { state, message: fault?.message, isPremium: offer?.premium };
  };
  fc.assert(
    fc.property(shuffled, ([all, others]) => {
      expect(resultOf(others)).toEqual(resultOf(all));
      expect(resultOf([...all, ...others])).toEqual(resultOf(all));
      const states = new Set(all.map(({ Status }) => Status));
      if (states.size > 1) expect(resultOf(all).state).toBe('UNKNOWN');
    }),
  );
});

describe('a label that its TLD excludes is INVALID while the price list is at hand', () => {
  const [short, other] = ['ab.com', 'ab.unsold'].map(parseDomainName) as [DomainName, DomainName];

  test.each<[string, Offers | undefined]>([
    ['available', free],
    ['taken', offersOf({ Status: 'notavailable' })],
    ['unknown', offersOf({ Status: 'maybe' })],
    ['a failure', new Fault('UPSTREAM_TIMEOUT')],
  ])('whatever the registrar reports: %s', async (_what, reported) => {
    const { check, listReads } = start({
      offers: { [short]: reported, [name]: free, [other]: free },
      isListAtHand: true,
    });

    expect(await check([short, name, other])).toEqual([
      ...['INVALID INVALID_INPUT', 'AVAILABLE', 'AVAILABLE'],
    ]);
    expect(listReads()).toBe(0);
  });

  test('and has the result of its check otherwise', async () => {
    const { check } = start({ offers: { [short]: free, [name]: free } });

    expect(await check([short, name])).toEqual(['AVAILABLE', 'AVAILABLE']);
  });
});

describe('the checks of a request', () => {
  const many = Array.from({ length: 150 }, (_, at) => parseDomainName(`maple-${at}.com`));

  function startLoader() {
    const account = start({ offers: Object.fromEntries(many.map((one) => [one, free])) });
    const options = { requestId: 'one', shared: true };
    return {
      ...account,
      loader: createAvailabilityLoader(account.together, options),
      client: options,
    };
  }

  test('are calls of 100 names, each name once', async () => {
    const { loader, calls, options, client } = startLoader();
    const spellings = many.flatMap((one) => [one, one.toUpperCase()]);

    const [all, one] = await Promise.all([
      loader.checkAll(spellings),
      loader.load(many[0] as DomainName),
    ]);

    expect(all.map((result) => result.name)).toEqual(many.flatMap((name) => [name, name]));
    expect(new Set(all.map(({ state }) => state))).toEqual(new Set(['AVAILABLE']));
    expect(one).toBe(all[0]);
    expect(calls()).toEqual([many.slice(0, 100), many.slice(100)]);
    expect(options()).toEqual(Array(2).fill({ ...client, mayHalve: true }));
  });

  test('have an INVALID result for text that is no name, shortened, for no call', async () => {
    const { loader, calls } = startLoader();
    const texts = ['  a b ', 'x'.repeat(80), 'x'.repeat(81)];

    const results = await loader.checkAll(texts);

    const shown = ['a b', 'x'.repeat(80), `${'x'.repeat(80)}…`];
    for (const [at, result] of results.entries()) {
      const expected = { name: null, text: shown[at], state: 'INVALID', offer: null };
      expect(result).toMatchObject(expected);
      expect(result.fault?.code).toBe('INVALID_INPUT');
    }
    expect(calls()).toEqual([]);
  });
});
