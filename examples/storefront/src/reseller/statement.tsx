import { useState } from 'react';

/** The purchases and refunds of a month, by customer. */
export function Statement() {
  const [month, setMonth] = useState(() => new Date().toISOString().slice(0, 7));
  const isMonth = /^\d{4}-\d\d$/.test(month);
  return (
    <section aria-labelledby="statement">
      <h2 id="statement">Statement</h2>
      <div className="statement">
        <label className="field narrow">
          <span>Month</span>
          <input
            type="month"
            value={month}
            placeholder="2026-11"
            onChange={(event) => setMonth(event.target.value)}
          />
        </label>
        {isMonth && (
          <a className="button button-plain" href={`/export/statement.csv?month=${month}`} download>
            Download as CSV
          </a>
        )}
      </div>
    </section>
  );
}
