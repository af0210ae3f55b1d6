import { useState } from 'react';
import { useQuery } from 'urql';
import { errorText } from '../graph/error-text.ts';
import { Field } from '../shared/field.tsx';
import { moneyText } from '../shared/money.ts';
import { RetryNotice } from '../shared/retry-notice.tsx';
import { useDelayed } from '../shared/use-delayed.ts';
import { type Price, type PriceRow, pricesDocument } from './documents.ts';
import { marginText } from './margin.ts';

const pageSize = 10;

const operations = [
  ['registration', 'Registration'],
  ['renewal', 'Renewal'],
  ['transfer', 'Transfer'],
] as const;

/** What customers pay, what the registrar charges, and the margin. */
export function Prices() {
  const [text, setText] = useState('');
  const [first, setFirst] = useState(pageSize);
  const contains = useDelayed(text.trim().replace(/^\./, ''), 200) || null;
  const variables = { contains, first };
  const [{ data, error, fetching }, readAgain] = useQuery({ query: pricesDocument, variables });
  const { nodes, totalCount } = data?.tlds ?? {};
  return (
    <section aria-labelledby="prices">
      <h2 id="prices">Prices and costs</h2>
      <Field title="Ending" value={text} placeholder="com, net …" change={setText} />
      {error && <RetryNotice text={errorText(error)} isBusy={fetching} retry={() => readAgain()} />}
      <table className="domains" aria-busy={fetching}>
        <caption className="unseen">Price, cost and margin of each ending</caption>
        <thead>
          <tr>
            <th scope="col">Ending</th>
            {operations.map(([operation, title]) => (
              <th key={operation} scope="col">
                {title}
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
      {nodes && nodes.length < (totalCount ?? 0) && (
        <button
          type="button"
          className="button button-plain more"
          onClick={() => setFirst(first + pageSize)}
        >
          Show more of {totalCount} endings
        </button>
      )}
    </section>
  );
}

const Row = ({ row }: { readonly row: PriceRow }) => (
  <tr>
    <th scope="row">.{row.unicodeName}</th>
    {operations.map(([operation, title]) => (
      <td key={operation} data-head={title}>
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
