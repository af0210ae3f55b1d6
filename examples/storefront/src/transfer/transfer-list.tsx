import { useQuery } from 'urql';
import { errorText } from '../graph/error-text.ts';
import { Badge } from '../shared/badge.tsx';
import { dateTimeText } from '../shared/date-time.ts';
import { RetryNotice } from '../shared/retry-notice.tsx';
import { transferAddress } from '../shared/route.ts';
import { transfersDocument } from './documents.ts';
import { stateOf } from './transfer-text.ts';

/** The last transfers of the account. */
export function TransferList() {
  const [{ data, error, fetching }, readAgain] = useQuery({ query: transfersDocument });
  const transfers = data?.purchases?.nodes ?? [];
  return (
    <section>
      <h2 id="transfers">Transfers</h2>
      {error && <RetryNotice text={errorText(error)} isBusy={fetching} retry={() => readAgain()} />}
      {data && transfers.length === 0 && <p className="hint">None yet.</p>}
      <ul className="lines" aria-labelledby="transfers">
        {transfers.map((one) => (
          <li key={one.id} className="line">
            <div className="line-head">
              <a href={transferAddress(one.key)}>{one.domainName}</a>
              <Badge tone={stateOf(one).tone}>{stateOf(one).word}</Badge>
            </div>
            <p className="line-facts">{dateTimeText(one.createdAt)}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}
