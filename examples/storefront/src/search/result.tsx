import { addToCart, cart, removeFromCart } from '../cart/cart.ts';
import { sentenceOf } from '../graph/error-text.ts';
import { Badge, type Tone } from '../shared/badge.tsx';
import { DomainLabel } from '../shared/domain-label.tsx';
import { moneyText } from '../shared/money.ts';
import { useStored } from '../shared/stored.ts';
import type { Found } from './use-search.ts';

const states: Readonly<Record<Found['availability']['state'], { tone: Tone; word: string }>> = {
  AVAILABLE: { tone: 'good', word: 'Available' },
  TAKEN: { tone: 'quiet', word: 'Taken' },
  INVALID: { tone: 'quiet', word: 'Not possible' },
  UNKNOWN: { tone: 'unsure', word: 'Unknown' },
};

interface ResultProps {
  readonly found: Found;
  readonly buy: ((found: Found) => void) | null;
}

export function Result({ found, buy }: ResultProps) {
  const { availability } = found;
  const { unicodeName, state, premium, quote } = availability;
  const isPremium = state === 'AVAILABLE' && premium;
  const { tone, word } = isPremium ? premiumState : states[state];
  const reason = reasonOf(availability);
  return (
    <li className={`result result-${state.toLowerCase()}`}>
      <div className="result-name">
        <DomainLabel name={unicodeName} />
        <Badge tone={tone}>{word}</Badge>
        {reason && <p className="reason">{reason}</p>}
      </div>
      {state === 'AVAILABLE' && (
        <>
          <Prices found={found} />
          {quote.highest && (
            <div className="result-actions">
              {buy && !premium && (
                <button type="button" className="button" onClick={() => buy(found)}>
                  Buy<span className="unseen"> {unicodeName}</span>
                </button>
              )}
              <AddButton found={found} isSecond={buy !== null && !premium} />
            </div>
          )}
        </>
      )}
    </li>
  );
}

/** Why a name cannot be bought. */
function reasonOf({ state, reason, errorCode }: Found['availability']): string | null {
  if (state === 'UNKNOWN') return 'This name could not be checked. Please try again later.';
  return reason && errorCode ? sentenceOf({ code: errorCode, message: reason }) : reason;
}

const premiumState = { tone: 'special', word: 'Premium' } as const;

function Prices({ found: { totals, availability } }: { readonly found: Found }) {
  const { quote, premium } = availability;
  const { renewalPrice } = quote;
  const five = totals.find(({ period }) => period === 5)?.highest;
  const facts = [
    quote.period > 1 ? `for ${quote.period} years` : '',
    renewalPrice ? `then ${moneyText(renewalPrice)} a year` : '',
    premium && !renewalPrice ? 'renewal price unknown' : '',
    five ? `up to ${moneyText(five)} for 5 years` : '',
  ];
  return (
    <div className="prices">
      <strong>{quote.highest ? moneyText(quote.highest) : 'price unknown'}</strong>
      <small>{facts.filter(Boolean).join(' · ')}</small>
    </div>
  );
}

/** One button that adds and removes, so that it keeps the focus. */
function AddButton({ found, isSecond }: { readonly found: Found; readonly isSecond: boolean }) {
  const { lines, sent } = useStored(cart);
  const { name: shown, unicodeName } = found.availability;
  const isHere = ({ name }: { readonly name: string }) => name === shown;
  const isSent = sent?.lines.some(isHere) === true;
  const isInCart = lines.some(isHere) || isSent;
  const change = () => {
    if (isInCart) removeFromCart(shown);
    else addToCart(found);
  };
  return (
    <button
      type="button"
      className={isInCart || isSecond ? 'button button-plain' : 'button'}
      aria-pressed={isInCart}
      aria-disabled={isSent}
      onClick={isSent ? undefined : change}
    >
      {isInCart ? '✓ In cart' : 'Add'}
      <span className="unseen">: {unicodeName}</span>
    </button>
  );
}
