import { useEffect } from 'react';
import { useClient } from 'urql';
import { DomainLabel } from '../shared/domain-label.tsx';
import { moneyText } from '../shared/money.ts';
import { useStored } from '../shared/stored.ts';
import { changeLine, type Line } from './cart.ts';
import { closeLine, LineState } from './line-state.tsx';
import { quote } from './purchase.ts';
import { registrant } from './registrant.ts';
import { useSettling } from './use-settling.ts';

/** A quote costs the service four calls, so a change is left to stand first. */
const quotePauseMs = 400;

export function CartLine({ line }: { readonly line: Line }) {
  const isOpen = line.stage === 'open';
  useQuote(line);
  useSettling(line);
  const price = isOpen ? line.quote : (line.purchase?.price ?? line.quote);
  return (
    <li className="line" aria-label={line.unicodeName}>
      <div className="line-head">
        <h2>
          <DomainLabel name={line.unicodeName} />
        </h2>
        <strong className="line-price">
          {isOpen && line.isEstimated && 'up to '}
          {price ? moneyText(price) : '…'}
        </strong>
      </div>
      {isOpen && <Choices line={line} />}
      <LineState line={line} />
    </li>
  );
}

/** Has the gateway tell the price whenever what it depends on has changed. */
function useQuote({ key, stage, years, acceptPremium }: Line): void {
  const client = useClient();
  const holder = useStored(registrant);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a quote reads these by the key
  useEffect(() => {
    if (stage !== 'open') return;
    const timer = setTimeout(() => quote(client, key), quotePauseMs);
    return () => clearTimeout(timer);
  }, [client, key, stage, years, acceptPremium, holder]);
}

function Choices({ line }: { readonly line: Line }) {
  const { key, name, unicodeName, years, shortest, longest, premium, acceptPremium } = line;
  const choices = Array.from({ length: longest - shortest + 1 }, (_, index) => shortest + index);
  // What was quoted was quoted for something else.
  const change = (what: Partial<Line>) =>
    changeLine(key, { ...what, quote: null, problems: [], refusals: [] });
  return (
    <div className="choices">
      <label htmlFor={`years-${name}`}>
        <span className="unseen">Period of {unicodeName}</span>
        <select
          id={`years-${name}`}
          value={years}
          onChange={(event) => change({ years: Number(event.target.value) })}
        >
          {choices.map((count) => (
            <option key={count} value={count}>
              {count === 1 ? '1 year' : `${count} years`}
            </option>
          ))}
        </select>
      </label>
      {premium && (
        <label className="check">
          <input
            type="checkbox"
            checked={acceptPremium}
            onChange={(event) => change({ acceptPremium: event.target.checked })}
          />
          I want it at its premium price
        </label>
      )}
      <button type="button" className="link" onClick={() => closeLine(key)}>
        Remove<span className="unseen"> {unicodeName}</span>
      </button>
    </div>
  );
}
