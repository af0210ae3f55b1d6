import { describe, expect, test } from 'vitest';
import { Fault } from './faults.ts';
import { CallBudget, CallCount } from './upstream-calls.ts';

const names = (count: number, from = 0) =>
  Array.from({ length: count }, (_, at) => `${from + at}.com`);
const others = (count: number) => ({ names: [], others: count });
const idns = (count: number) => names(count).map((name) => `xn--${name}`);
const named = (count: number, from = 0) => ({ names: names(count, from), others: 0 });
const totalOf = (use: (count: CallCount) => unknown) => {
  const count = new CallCount();
  use(count);
  return count.total;
};

describe('the counted calls of an operation', () => {
  test.each<[string, number, (count: CallCount) => unknown]>([
    ['nothing', 0, () => {}],
    ['one list, read twice', 1, (c) => [c.once('tldlist'), c.once('tldlist')]],
    ['two lists', 2, (c) => [c.once('tldlist'), c.once('resellerdetails')]],
    ['a list, cached and not', 2, (c) => [c.once('tldlist'), c.once('tldlist', true)]],
    ['a read that bypasses the cache, twice', 1, (c) => [c.refreshed('a'), c.refreshed('a')]],
    ['4 domains', 4, (c) => c.domains(named(4))],
    ['5 domains and their list', 6, (c) => c.domains(named(5))],
    ['5 rows of the list', 6, (c) => c.domains(others(5))],
    ['5 domains beside the list', 6, (c) => [c.once('getdomainlist'), c.domains(named(5))]],
    ['2 domains, named twice', 2, (c) => [c.domains(named(2)), c.domains(named(2))]],
    ['3 domains that overlap', 3, (c) => [c.domains(named(2)), c.domains(named(2, 1))]],
    ['rows and names', 3, (c) => [c.domains(named(1)), c.domains(others(2))]],
    ['2 contacts', 2, (c) => c.contacts(named(2))],
    ['contacts of 3 rows', 3, (c) => c.contacts(others(3))],
    ['auth codes of names, which their details have', 0, (c) => c.authCodes(named(2))],
    ['auth codes of rows', 2, (c) => c.authCodes(others(2))],
    ['100 checks', 1, (c) => c.names(names(100), false)],
    ['101 checks', 2, (c) => c.names(names(101), false)],
    ['checks, cached and not', 2, (c) => [c.names(names(1), false), c.names(names(1), true)]],
    ['one check twice', 1, (c) => [c.names(names(1), false), c.names(names(1), false)]],
    ['a single IDN', 1, (c) => c.names(idns(1), false)],
    ['an IDN in a list, which may be checked alone', 3, (c) => c.names(['a', ...idns(1)], false)],
    ['90 IDNs, of which 3 may be checked alone', 5, (c) => c.names(idns(90), false)],
    ['IDNs in two bulk checks', 9, (c) => c.names(idns(101), false)],
    ['IDNs beside the price list', 4, (c) => [c.once('tldlist'), c.names(idns(2), false)]],
    ['IDNs, cached and not', 8, (c) => [c.names(idns(2), false), c.names(idns(2), true)]],
    ['a search of 101 names', 2, (c) => c.search(101)],
    ['two writes', 3, (c) => [c.calls(1), c.calls(2)]],
    [
      'all together',
      5,
      (c) => [
        c.once('tldlist'),
        c.domains(named(1)),
        c.contacts(named(1)),
        c.search(1),
        c.calls(1),
      ],
    ],
  ])('of %s are %i', (_what, total, use) => {
    expect(totalOf(use)).toBe(total);
  });

  test('count the rows of one page once, and those of two pages twice', () => {
    const count = new CallCount();
    const page = count.page('first: 2', 2);
    count.domains(page);
    count.domains(count.page('first: 2', 2));
    expect(count.total).toBe(2);

    count.domains(count.page('last: 2', 2));

    expect(count.total).toBe(4);
  });

  test('count searches', () => {
    const count = new CallCount();
    count.search(1);
    count.search(1);

    expect(count.searches).toBe(2);
  });
});

describe('the budget of a request', () => {
  test('has no call left after the last one', { tags: ['S3'] }, () => {
    const budget = new CallBudget(2);

    expect([budget.take(), budget.left, budget.take(), budget.left]).toEqual([true, 1, true, 0]);
    expect(budget.take()).toBe(false);
    expect(budget.left).toBe(0);
    expect(() => budget.assertLeft()).toThrow(
      expect.objectContaining({ code: 'COST_LIMIT_EXCEEDED' }),
    );
  });

  test('is no error while a call is left', () => {
    expect(() => new CallBudget(1).assertLeft()).not.toThrow(Fault);
  });

  test('reserves the planned calls', { tags: ['S3'] }, () => {
    const budget = new CallBudget(3);
    budget.plan(2, 0);

    expect([budget.spare, budget.takeSpare(), budget.takeSpare()]).toEqual([1, true, false]);
    expect(budget.left).toBe(3);
  });

  test('has no spare call above its calls, and never fewer than none', () => {
    const budget = new CallBudget(1);
    budget.plan(5, 0);
    expect(budget.spare).toBe(0);

    const used = new CallBudget(2);
    used.take();
    expect(used.spare).toBe(1);
    used.take();
    expect(used.spare).toBe(0);
  });

  test('gives each search its planned calls and an equal share of the spare ones', () => {
    const budget = new CallBudget(10);
    budget.plan(5, 2);

    const [first, second] = [budget.ofSearch(2), budget.ofSearch(3)];

    expect([first.left, second.left]).toEqual([4, 6]);
    expect([first.spare, second.spare]).toEqual([2, 3]);
    expect(budget.spare).toBe(0);
  });

  test('gives a search that was not planned all spare calls, and never more than are left', () => {
    const budget = new CallBudget(3);

    expect(budget.ofSearch(2).left).toBe(3);
    expect(budget.spare).toBe(0);
  });

  test('loses each call that a search takes', () => {
    const budget = new CallBudget(3);
    const search = budget.ofSearch(1);

    search.take();

    expect([search.left, budget.left]).toEqual([2, 2]);
  });

  test('protects the planned calls of a search from its repetitions', () => {
    const budget = new CallBudget(3);
    const search = budget.ofSearch(2);
    expect(search.spare).toBe(1);

    search.take();
    search.take();

    expect(search.spare).toBe(0);
    expect(search.takeSpare()).toBe(false);
  });
});
