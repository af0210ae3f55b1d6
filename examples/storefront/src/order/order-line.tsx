import { sentencesOf } from '../graph/error-text.ts';
import { Badge, type Tone } from '../shared/badge.tsx';
import { DomainLabel } from '../shared/domain-label.tsx';
import { isZero, moneyText } from '../shared/money.ts';
import { domainAddress, transferAddress } from '../shared/route.ts';
import { Sentences } from '../shared/sentences.tsx';
import { yearsText } from '../shared/years.ts';
import { transferSentences } from '../transfer/transfer-text.ts';
import type { OrderLine } from './documents.ts';

const states: Readonly<Record<OrderLine['state'], { tone: Tone; word: string }>> = {
  WAITING: { tone: 'quiet', word: 'Waiting' },
  SENDING: { tone: 'unsure', word: 'In progress' },
  PENDING: { tone: 'unsure', word: 'Not confirmed yet' },
  IN_PROGRESS: { tone: 'unsure', word: 'Transfer in progress' },
  SUCCEEDED: { tone: 'good', word: 'Registered' },
  FAILED: { tone: 'bad', word: 'Not bought' },
  UNKNOWN: { tone: 'bad', word: 'Needs a check' },
  CANCELLED: { tone: 'quiet', word: 'Cancelled' },
};

const transferWords: Readonly<Partial<Record<OrderLine['state'], { word: string }>>> = {
  SUCCEEDED: { word: 'Transferred' },
  FAILED: { word: 'Not transferred' },
};

/** The page with more about a line. */
function addressOf({ kind, state, domainName, purchase }: OrderLine): string | null {
  if (state === 'SUCCEEDED' && domainName) return domainAddress(domainName);
  return kind === 'TRANSFER' && purchase ? transferAddress(purchase.key) : null;
}

/** `name`: as the shopper wrote it. */
export function OrderLineItem({ line, name }: { readonly line: OrderLine; readonly name: string }) {
  const { kind, period, quote, state, errors } = line;
  const { tone, word } = { ...states[state], ...(kind === 'TRANSFER' && transferWords[state]) };
  const address = addressOf(line);
  const nextStep = nextStepOf(line);
  return (
    <li className="line" aria-label={name}>
      <div className="line-head">
        <h2>
          {address ? (
            <a href={address}>
              <DomainLabel name={name} />
            </a>
          ) : (
            <DomainLabel name={name} />
          )}
        </h2>
        <Badge tone={tone}>{word}</Badge>
      </div>
      <p className="line-facts">
        {yearsText(period)}
        {quote?.highest && ` · ${quote.certainty === 'ESTIMATED' ? 'up to ' : ''}`}
        {quote?.highest && moneyText(quote.highest)}
      </p>
      <div className="line-state">
        {state === 'FAILED' && (
          <Sentences of={kind === 'TRANSFER' ? transferSentences(errors) : sentencesOf(errors)} />
        )}
        {nextStep && <p className="next-step">{nextStep}</p>}
      </div>
    </li>
  );
}

/** The graph's own `nextStep` is for the reseller; these are for the shopper. */
const nextSteps: Readonly<Partial<Record<OrderLine['state'], string>>> = {
  FAILED: 'Nothing was charged for it.',
  UNKNOWN: 'Please contact us before you buy it again.',
  PENDING: 'Do not buy it again: this page shows the outcome when it is known.',
};

const nextStepOf = ({ state, refundDue }: OrderLine): string | undefined =>
  refundDue && !isZero(refundDue)
    ? `${moneyText(refundDue)} is returned to you.`
    : nextSteps[state];
