import { DomainLabel } from '../shared/domain-label.tsx';
import { moneyText } from '../shared/money.ts';
import { domainAddress } from '../shared/route.ts';
import type { DomainRow } from './documents.ts';
import { dateText, daysText, urgencyOf } from './expiry.ts';
import { StateBadge } from './state-badge.tsx';

interface DomainTableProps {
  readonly rows: readonly DomainRow[];
  readonly isLoading: boolean;
}

/** A table on a desk, a list of cards on a phone: there each cell shows the head of its column itself. */
export function DomainTable({ rows, isLoading }: DomainTableProps) {
  return (
    <table className="domains" aria-busy={isLoading}>
      <caption className="unseen">Domains of the account</caption>
      <thead>
        <tr>
          <th scope="col">Domain</th>
          <th scope="col">State</th>
          <th scope="col">Expires</th>
          <th scope="col">Renewal</th>
          <th scope="col">Protection</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <Row key={row.id} row={row} />
        ))}
      </tbody>
    </table>
  );
}

function Row({ row }: { readonly row: DomainRow }) {
  const { name, unicodeName, expiresAt, transferLocked, privacyProtected } = row;
  const renewal = row.renewalQuote?.highest;
  const guards = [transferLocked && 'Locked', privacyProtected && 'Private'].filter(Boolean);
  return (
    <tr>
      <th scope="row">
        <a href={domainAddress(name)}>
          <DomainLabel name={unicodeName} />
        </a>
      </th>
      <td data-head="State">
        <StateBadge row={row} />
      </td>
      <td data-head="Expires" className={`expiry expiry-${urgencyOf(row)}`}>
        {expiresAt ? dateText(expiresAt) : 'no date'} <small>{daysText(row)}</small>
      </td>
      <td data-head="Renewal">{renewal ? moneyText(renewal) : 'no price'}</td>
      <td data-head="Protection">{guards.join(', ') || 'none'}</td>
    </tr>
  );
}
