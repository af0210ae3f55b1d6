import { type Refusal, sentenceOf } from '../graph/error-text.ts';
import type { Tone } from '../shared/badge.tsx';
import { dateTimeText } from '../shared/date-time.ts';
import type { Transfer } from './documents.ts';

const notTransferable =
  'The domain cannot be transferred now. Unlock it at its registrar. A domain that was registered or transferred within the last 60 days has to wait.';

/** Sentences that differ from those about registrations. */
const sentences: Readonly<Partial<Record<Refusal['code'], string>>> = {
  ALREADY_OWNED: 'This domain is already in this account.',
  IDEMPOTENCY_CONFLICT: 'A transfer of this domain was sent already. See the list below.',
  LOCKED: notTransferable,
  NOT_ELIGIBLE: notTransferable,
  NOT_AVAILABLE: notTransferable,
  NOT_FOUND: 'The domain is not registered. Please check the name.',
};

/** Each sentence once. */
export const transferSentences = (refusals: readonly Refusal[]): readonly string[] => [
  ...new Set(refusals.map((refusal) => sentences[refusal.code] ?? sentenceOf(refusal))),
];

/** Whether the next state follows soon. */
export const isOpen = (state: Transfer['state']): boolean =>
  state === 'AWAITING_APPROVAL' || state === 'SENDING' || state === 'PENDING';

/** The state of a transfer as a word. */
export function stateOf({ state, transfer }: Transfer): { tone: Tone; word: string } {
  if (transfer?.stage === 'REJECTED') return { tone: 'bad', word: 'Rejected' };
  if (transfer?.stage === 'CANCELLED') return { tone: 'bad', word: 'Cancelled' };
  if (state === 'SUCCEEDED') return { tone: 'good', word: 'Completed' };
  if (state === 'IN_PROGRESS') return { tone: 'unsure', word: 'In progress' };
  if (state === 'FAILED') return { tone: 'bad', word: 'Not transferred' };
  if (state === 'UNKNOWN') return { tone: 'bad', word: 'Needs a check' };
  if (state === 'SENDING') return { tone: 'unsure', word: 'Being sent' };
  if (state === 'AWAITING_APPROVAL') return { tone: 'unsure', word: 'Waits for an approval' };
  return { tone: 'unsure', word: 'Not confirmed yet' };
}

/** What happened and what to do, in short sentences. */
export function storyOf(one: Transfer): readonly string[] {
  const { state, transfer, errors, order } = one;
  if (transfer?.stage === 'REJECTED') {
    const advice = 'Ask it for the reason, then start the transfer again.';
    return [`The current registrar or the owner rejected the transfer. ${advice}`, refundText(one)];
  }
  if (transfer?.stage === 'CANCELLED')
    return ['The transfer was cancelled before it was complete.', refundText(one)];
  if (state === 'SUCCEEDED') return ['The domain is in the account.'];
  if (state === 'IN_PROGRESS') return progressText(transfer?.expectedBy ?? null);
  if (state === 'FAILED')
    return [...transferSentences(errors), order?.payment ? ofOrder : 'Nothing was charged for it.'];
  if (state === 'UNKNOWN')
    return ['The outcome could not be determined. Check the account before you transfer it again.'];
  if (state === 'SENDING') return ['The transfer is being sent.'];
  if (state === 'AWAITING_APPROVAL')
    return ['Another person has to approve the transfer. It is sent after that.'];
  return [
    'The registrar has not confirmed the transfer. Do not send it again: this page shows the outcome when it is known.',
  ];
}

const progressText = (expectedBy: string | null): readonly string[] => [
  'The registrar accepted the transfer. The current registrar has to release the domain.',
  expectedBy
    ? `It is usually complete by ${dateTimeText(expectedBy)}.`
    : 'It usually takes five days.',
  'The owner may get an e-mail that has to be confirmed.',
];

const ofOrder = 'Its order shows your refund.';

/** `refunded` is about the reseller. A customer who paid has the price back in any case. */
function refundText({ order, transfer }: Transfer): string {
  if (order?.payment) return ofOrder;
  const refunded = transfer?.refunded ?? null;
  if (refunded === null)
    return 'It is not known whether the price was returned. Check the balance.';
  return refunded ? 'The price was returned.' : 'The price was not returned.';
}
