import { expect, test } from 'vitest';
import { howToAdd, nextStepOf } from '../portfolio.ts';
import { coverageNotes, renewalTotal } from './mcp.ts';

test.each([
  [1, 0, 'Renewing the 1 listed domain costs 2.0000 USD.'],
  [2, 1, 'Renewing the 3 listed domains costs 4.0000 USD, without 1 that has no price.'],
  [0, 2, 'Renewing the 2 listed domains costs an unknown amount, without 2 that have no price.'],
])('the renewals of %d domains, and of %d without a price', (priced, unpriced, sentence) => {
  const domains = [
    ...Array.from({ length: priced }, () => ({
      renewalQuote: { highest: { amount: '2', currency: 'USD' } },
    })),
    ...Array.from({ length: unpriced }, () => ({ renewalQuote: null })),
  ];

  expect(renewalTotal(domains)).toBe(sentence);
});

test('a tool shows what completes the list without the names of mutations and commands', () => {
  const nextStep = nextStepOf({ complete: false, upstreamCount: 3, knownCount: 2 });

  expect(nextStep).toContain(howToAdd);
  expect(coverageNotes({ nextStep }).join()).toMatch(/counts: the operator can add them\.$/);
});
