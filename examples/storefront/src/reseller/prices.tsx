import { useState } from 'react';
import { useQuery } from 'urql';
import { errorText } from '../graph/error-text.ts';
import { moneyText } from '../shared/money.ts';
import { RetryNotice } from '../shared/retry-notice.tsx';
import { useDelayed } from '../shared/use-delayed.ts';
import { type Price, type PriceRow, pricesDocument } from './documents.ts';
import { marginText } from './margin.ts';

const operations = ['registration', 'renewal', 'transfer'] as const;

/** What customers pay, what the registrar charges, and the margin. */
export function Prices() {
  const [text, setText] = useState('');
  const [after, setAfter] = useState<string | null>(null);
  const contains = useDelayed(text.trim().replace(/^\./, ''), 200) || null;
  const variables = { contains, after };
  const [{ data, error, fetching }, readAgain] = useQuery({ query: pricesDocument, variables });
  const { nodes, totalCount, pageInfo } = data?.tlds ?? {};
  return (
    <section aria-labelledby="prices">
      <h2 id="prices">Prices and costs</h2>
      <label className="field narrow">
        <span>Ending</span>
        <input
          type="search"
          value={text}
          placeholder="com, net …"
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => {
            setText(event.target.value);
            setAfter(null);
          }}
        />
      </label>
      {error && <RetryNotice text={errorText(error)} isBusy={fetching} retry={() => readAgain()} />}
      <table className="domains" aria-busy={fetching}>
        <caption className="unseen">Price, cost and margin of each ending</caption>
        <thead>
          <tr>
            <th scope="col">Ending</th>
            {operations.map((operation) => (
              <th key={operation} scope="col">
                {titleOf(operation)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {nodes?.map((row) => (
            <Row key={row.name} row={row} />
          ))}
        </tbody>
      </table>
      <nav className="pager" aria-label="Pages of endings">
        <p className="hint">{totalCount === 1 ? '1 ending' : `${totalCount ?? '…'} endings`}</p>
        {after && (
          <button type="button" className="button button-plain" onClick={() => setAfter(null)}>
            First page
          </button>
        )}
        {pageInfo?.hasNextPage && (
          <button
            type="button"
            className="button button-plain"
            onClick={() => setAfter(pageInfo.endCursor)}
          >
            Next endings →
          </button>
        )}
      </nav>
    </section>
  );
}

const titleOf = (operation: string): string =>
  `${operation[0]?.toUpperCase()}${operation.slice(1)}`;

const Row = ({ row }: { readonly row: PriceRow }) => (
  <tr>
    <th scope="row">.{row.unicodeName}</th>
    {operations.map((operation) => (
      <td key={operation} data-head={titleOf(operation)}>
        <PriceCell price={row[operation]} />
      </td>
    ))}
  </tr>
);

function PriceCell({ price: found }: { readonly price: Price | null }) {
  if (!found) return 'not sold';
  const { price, cost, period } = found;
  return (
    <span>
      <strong>{price ? moneyText(price) : 'no price'}</strong>
      {period > 1 && ` for ${period} years`}
      <small className="cost">
        {cost && ` cost ${moneyText(cost)}`}
        {price && cost && ` · ${marginText(price, cost)}`}
      </small>
    </span>
  );
}
