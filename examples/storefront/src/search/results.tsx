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

export function Endings({ results, buy }: ResultsProps) {
  const [isWhole, setWhole] = useState(false);
  if (results.length === 0) return null;
  return (
    <section>
      <h2>All endings</h2>
      <List results={isWhole ? results : results.slice(0, atFirst)} buy={buy} />
      {results.length > atFirst && (
        <button
          type="button"
          className="button button-plain more"
          aria-expanded={isWhole}
          onClick={() => setWhole(!isWhole)}
        >
          {isWhole ? 'Show fewer' : `Show all ${results.length} endings`}
        </button>
      )}
    </section>
  );
}

export function Suggestions({ results, buy }: ResultsProps) {
  if (results.length === 0) return null;
  return (
    <section className="aside">
      <h2>Also free</h2>
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
