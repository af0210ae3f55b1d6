import { describe, expect, test } from 'vitest';
import { money } from '../../kernel/money.ts';
import {
  type ApprovalConditions,
  type ApprovalRule,
  type ApprovalSubject,
  createApprovalRules,
  isImplied,
} from './rules.ts';

const rule = (when: ApprovalConditions, members: Partial<ApprovalRule> = {}): ApprovalRule => ({
  position: 1,
  operations: ['REGISTRATION'],
  when,
  expiresAfterMs: 1_000,
  ...members,
});
const subject = (members: Partial<ApprovalSubject> = {}): ApprovalSubject => ({
  operation: 'REGISTRATION',
  caller: { name: 'shop', scopes: new Set(['domains:spend', 'domains:read']) },
  viaTool: false,
  cost: money('10', 'USD'),
  premium: false,
  count: 1,
  ...members,
});
const matches = (when: ApprovalConditions, members: Partial<ApprovalSubject> = {}) =>
  createApprovalRules([rule(when)]).matching(subject(members)) !== null;

const costAbove = money('10', 'USD');

describe('a condition', () => {
  test.each<[string, ApprovalConditions, Partial<ApprovalSubject>, boolean]>([
    ['no condition', {}, {}, true],
    ['another operation', {}, { operation: 'TRANSFER' }, false],
    ['a cost of exactly costAbove', { costAbove }, {}, false],
    ['the smallest higher cost', { costAbove }, { cost: money('10.0001', 'USD') }, true],
    ['a lower cost', { costAbove }, { cost: money('9.9999', 'USD') }, false],
    ['a lower cost in another currency', { costAbove }, { cost: money('1', 'EUR') }, true],
    ['an unknown cost', { costAbove }, { cost: null }, true],
    ['premium, of a premium name', { premium: true }, { premium: true }, true],
    ['premium, of another name', { premium: true }, {}, false],
    ['premium, of an unknown name', { premium: true }, { premium: null }, true],
    ['not premium, of a premium name', { premium: false }, { premium: true }, false],
    ['not premium, of an unknown name', { premium: false }, { premium: null }, true],
    ['a count of exactly countAbove', { countAbove: 5 }, { count: 5 }, false],
    ['a higher count', { countAbove: 5 }, { count: 6 }, true],
    ['a named key', { keys: ['staff', 'shop'] }, {}, true],
    ['another key', { keys: ['staff'] }, {}, false],
    [
      'keys, of a caller without a name',
      { keys: ['shop'] },
      { caller: { name: null, scopes: new Set() } },
      false,
    ],
    ['one of the scopes', { scopes: ['ops', 'domains:spend'] }, {}, true],
    ['no such scope', { scopes: ['ops'] }, {}, false],
    ['a tool', { mcp: true }, { viaTool: true }, true],
    ['no tool', { mcp: true }, {}, false],
    ['not a tool, of a tool', { mcp: false }, { viaTool: true }, false],
    ['all of several', { costAbove, mcp: true }, { viaTool: true, cost: null }, true],
    ['one of several', { costAbove, mcp: true }, { viaTool: true }, false],
  ])('%s', (_name, when, members, expected) => {
    expect(matches(when, members)).toBe(expected);
  });

  test('the first rule that matches counts', () => {
    const rules = createApprovalRules([
      rule({}, { operations: ['UNLOCK'] }),
      rule({ premium: true }, { position: 2 }),
      rule({}, { position: 3 }),
      rule({}, { position: 4 }),
    ]);

    expect(rules.matching(subject())?.position).toBe(3);
    expect(rules.matching(subject({ premium: true }))?.position).toBe(2);
    expect(rules.matching(subject({ operation: 'TRANSFER' }))).toBeNull();
  });
});

describe('the same person', () => {
  const { isSamePerson } = createApprovalRules(
    [],
    [
      ['anna', 'anna-laptop'],
      ['ben', 'login:ben'],
      ['carl', 'anna-laptop'],
    ],
  );

  test.each<[string | null, string | null, boolean]>([
    ['shop', 'shop', true],
    ['shop', 'anna', false],
    ['anna', 'anna-laptop', true],
    ['login:ben', 'ben', true],
    ['anna', 'ben', false],
    // Through the list that both are in.
    ['anna', 'carl', true],
    ['carl', 'anna', true],
    [null, 'anna', true],
    ['anna', null, true],
    [null, null, true],
  ])('%s and %s: %s', (one, other, expected) => {
    expect(isSamePerson(one, other)).toBe(expected);
  });
});

test.each<[ApprovalConditions, ApprovalConditions, boolean]>([
  [{}, {}, true],
  [{}, { costAbove, keys: ['shop'] }, true],
  [{ costAbove }, {}, false],
  [{ costAbove }, { costAbove: money('11', 'USD') }, true],
  [{ costAbove }, { costAbove }, true],
  [{ costAbove }, { costAbove: money('9', 'USD') }, false],
  [{ costAbove }, { costAbove: money('11', 'EUR') }, false],
  [{ countAbove: 5 }, { countAbove: 6 }, true],
  [{ countAbove: 5 }, { countAbove: 4 }, false],
  [{ countAbove: 5 }, {}, false],
  [{ premium: true }, { premium: true }, true],
  [{ premium: true }, { premium: false }, false],
  [{ premium: true }, {}, false],
  [{ mcp: true }, { mcp: true }, true],
  [{ mcp: true }, {}, false],
  [{ keys: ['shop', 'staff'] }, { keys: ['shop'] }, true],
  [{ keys: ['shop'] }, { keys: ['shop', 'staff'] }, false],
  [{ keys: ['shop'] }, {}, false],
  [{ scopes: ['ops'] }, { scopes: ['ops'] }, true],
  [{ scopes: ['ops'] }, { scopes: ['domains:spend'] }, false],
])('conditions %j include all requests of %j: %s', (wide, narrow, expected) => {
  expect(isImplied(wide, narrow)).toBe(expected);
});
