import { useQuery } from 'urql';
import { sentencesOf } from '../graph/error-text.ts';
import { account } from '../session/session.ts';
import { Badge } from '../shared/badge.tsx';
import { LinkButton } from '../shared/buttons.tsx';
import { DomainLabel } from '../shared/domain-label.tsx';
import { focusMain } from '../shared/focus-main.ts';
import { moneyText } from '../shared/money.ts';
import { Sentences } from '../shared/sentences.tsx';
import { yearsText } from '../shared/years.ts';
import { changeLine, type Line, removeFromCart } from './cart.ts';
import { type LineQuote, linePriceDocument } from './documents.ts';

interface CartLineProps {
  readonly line: Line;
  /** Its price and its errors, once they are known. */
  readonly found: LineQuote | undefined;
}

export function CartLine({ line, found }: CartLineProps) {
  const quote = useVisitorQuote(line) ?? found?.quote;
  return (
    <li className="line" aria-label={line.unicodeName}>
      <div className="line-head">
        <h2>
          <DomainLabel name={line.unicodeName} />
        </h2>
        <strong className="line-price">
          {quote?.certainty === 'ESTIMATED' && 'up to '}
          {quote?.highest ? moneyText(quote.highest) : '…'}
        </strong>
      </div>
      <Choices line={line} />
      <div className="line-state" aria-live="polite">
        <Sentences of={sentencesOf(found?.errors ?? [])} />
      </div>
    </li>
  );
}

/** A visitor cannot check an order, so its lines have the prices of the search. */
function useVisitorQuote({ name, years }: Line) {
  const variables = { name, period: years };
  const [{ data }] = useQuery({ query: linePriceDocument, variables, pause: account !== null });
  return data?.availability?.quote;
}

/** A line of an order that has no response yet: it may be bought, so nothing about it can be changed. */
export const SentLine = ({ line: { unicodeName } }: Pick<CartLineProps, 'line'>) => (
  <li className="line" aria-label={unicodeName}>
    <div className="line-head">
      <h2>
        <DomainLabel name={unicodeName} />
      </h2>
      <Badge tone="unsure">Being ordered</Badge>
    </div>
  </li>
);

function Choices({ line }: { readonly line: Line }) {
  const { name, unicodeName, years, shortest, longest, premium, acceptPremium } = line;
  const choices = Array.from({ length: longest - shortest + 1 }, (_, index) => shortest + index);
  const remove = () => {
    removeFromCart(name);
    focusMain();
  };
  return (
    <div className="choices">
      <label htmlFor={`years-${name}`}>
        <span className="unseen">Period of {unicodeName}</span>
        <select
          id={`years-${name}`}
          value={years}
          onChange={(event) => changeLine(name, { years: Number(event.target.value) })}
        >
          {choices.map((count) => (
            <option key={count} value={count}>
              {yearsText(count)}
            </option>
          ))}
        </select>
      </label>
      {premium && (
        <label className="check">
          <input
            type="checkbox"
            checked={acceptPremium}
            onChange={(event) => changeLine(name, { acceptPremium: event.target.checked })}
          />
          I want it at its premium price
        </label>
      )}
      <LinkButton onClick={remove}>
        Remove<span className="unseen"> {unicodeName}</span>
      </LinkButton>
    </div>
  );
}
