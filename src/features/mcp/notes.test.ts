import { expect, test } from 'vitest';
import { createRequest } from '../../../test/support/server/request.ts';
import { approvalAddress, checkNotes, outcomeOf, renewalNote } from './notes.ts';

test.each([
  [
    'REQUESTED',
    /^It waits for the approval of another person until .* address, .*: \/approvals\/one /,
  ],
  ['GRANTED', /^Another person approved it, and the gateway has not sent it yet\. Do not buy /],
])('a purchase whose approval is %s', (state, sentence) => {
  const approval = { id: 'one', state, expiresAt: '2026-12-01T00:00:00.000Z' };
  const purchase = { id: 'two', state: 'AWAITING_APPROVAL', errors: [], approval };

  expect(outcomeOf(purchase, (id) => `/approvals/${id}`)).toMatch(sentence);
});

const usd = (amount: string) => ({ amount, currency: 'USD' });
const quote = (period: number, lowest: string, renewal: string | null) => ({
  ...{ certainty: 'LISTED', period, premium: false, lowest: usd(lowest), highest: usd(lowest) },
  renewalPrice: renewal === null ? null : usd(renewal),
});

test.each([
  [quote(1, '3.99', '42.99'), 'A renewal costs 42.99 USD a year, much more than this.'],
  [quote(10, '100.00', '20.00'), 'A renewal costs 20.00 USD a year.'],
  [quote(10, '100.00', '20.01'), 'A renewal costs 20.01 USD a year, much more than this.'],
  [quote(1, '3.99', null), 'The price of renewals is not known.'],
])('the sentence about renewals of %j', (one, sentence) => {
  expect(renewalNote(one)).toBe(sentence);
});

test('checked names whose renewals cost much more than the registration have a sentence', () => {
  const dear = { state: 'AVAILABLE', quote: quote(1, '3.99', '42.99') };
  const usual = { state: 'AVAILABLE', quote: quote(1, '3.99', '3.99') };

  expect(checkNotes([usual, dear])).toEqual([
    'Some renewals cost much more than the registration: show the user `renewalPrice` too.',
  ]);
  expect(checkNotes([usual])).toEqual([]);
});

test.each([
  ['graph.example', '/mcp', 'https://graph.example/approvals/QXBw'],
  ['graph.example:8443', '/api/v1/mcp', 'https://graph.example:8443/api/v1/approvals/QXBw'],
  ['127.0.0.1:4000', '/mcp/?a=/mcp', 'http://127.0.0.1:4000/approvals/QXBw'],
  ['localhost:4000', '/mcp', 'http://localhost:4000/approvals/QXBw'],
  // Of a program in the same process, which serves no pages.
  ['localhost', '/mcp', '/approvals/QXBw'],
])('a request to %s%s leads to the page %s', (host, target, address) => {
  const request = createRequest({ method: 'POST', target, headers: { host } });

  expect(approvalAddress(request, 'QXBw')).toBe(address);
});
