import { useState } from 'react';
import { Result } from './result.tsx';
import type { Found } from './use-search.ts';

interface ResultsProps {
  readonly results: readonly Found[];
  /** Opens a purchase in one click; null without a stored contact for it. */
  readonly buy: ((found: Found) => void) | null;
}

/** Endings shown at first; on a phone the suggestions follow them. */
const atFirst = 12;

/** The name that a customer looks for first. */
export const BestMatch = ({
  found,
  buy,
}: { readonly found: Found } & Pick<ResultsProps, 'buy'>) => (
  <section className="best">
    <h2>Best match</h2>
    <List results={[found]} buy={buy} />
  </section>
);

export function Endings({ results, buy }: ResultsProps) {
  const [isWhole, setWhole] = useState(false);
  if (results.length === 0) return null;
  return (
    <section>
      <h2>Other endings</h2>
      <List results={isWhole ? results : results.slice(0, atFirst)} buy={buy} />
      {results.length > atFirst && (
        <button
          type="button"
          className="button button-plain more"
          aria-expanded={isWhole}
          onClick={() => setWhole(!isWhole)}
        >
          {isWhole ? 'Show fewer' : `Show all ${results.length} other endings`}
        </button>
      )}
    </section>
  );
}

export function Suggestions({ results, buy }: ResultsProps) {
  if (results.length === 0) return null;
  return (
    <section className="aside">
      <h2>Also available</h2>
      <List results={results} buy={buy} />
    </section>
  );
}

const List = ({ results, buy }: ResultsProps) => (
  <ul className="results">
    {results.map((found) => (
      <Result key={found.availability.name} found={found} buy={buy} />
    ))}
  </ul>
);
