import { customerName } from '../reseller/customers.ts';
import { DomainLabel } from '../shared/domain-label.tsx';
import { moneyText } from '../shared/money.ts';
import { domainAddress } from '../shared/route.ts';
import type { DomainRow } from './documents.ts';
import { dateText, daysText, urgencyOf } from './expiry.ts';
import { StateBadge } from './state-badge.tsx';

interface DomainTableProps {
  readonly rows: readonly DomainRow[];
  readonly isLoading: boolean;
  /** Of the staff: the names that it has selected. */
  readonly selection: Selection | null;
}

interface Selection {
  readonly selected: ReadonlySet<string>;
  readonly select: (names: ReadonlySet<string>) => void;
}

/** A table on a desk, a list of cards on a phone: there each cell shows the head of its column itself. */
export function DomainTable({ rows, isLoading, selection }: DomainTableProps) {
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
          {selection && <th scope="col">Customer</th>}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <Row key={row.id} row={row} selection={selection} />
        ))}
      </tbody>
    </table>
  );
}

function Row({
  row,
  selection,
}: { readonly row: DomainRow } & Pick<DomainTableProps, 'selection'>) {
  const { name, unicodeName, expiresAt, transferLocked, privacyProtected } = row;
  const renewal = row.renewalQuote?.highest;
  const guards = [transferLocked && 'Locked', privacyProtected && 'Private'].filter(Boolean);
  return (
    <tr>
      <th scope="row">
        {selection && (
          <input
            type="checkbox"
            aria-label={`Select ${unicodeName}`}
            checked={selection.selected.has(name)}
            onChange={() => selection.select(toggled(selection.selected, name))}
          />
        )}
        <a href={domainAddress(name)}>
          <DomainLabel name={unicodeName} />
        </a>
        {selection && <Labels labels={row.labels} />}
      </th>
      <td data-head="State">
        <StateBadge row={row} />
      </td>
      <td data-head="Expires" className={`expiry expiry-${urgencyOf(row)}`}>
        {expiresAt ? dateText(expiresAt) : 'no date'} <small>{daysText(row)}</small>
      </td>
      <td data-head="Renewal">{renewal ? moneyText(renewal) : 'no price'}</td>
      <td data-head="Protection">{guards.join(', ') || 'none'}</td>
      {selection && <td data-head="Customer">{customerName(row.customer)}</td>}
    </tr>
  );
}

function toggled(names: ReadonlySet<string>, name: string): ReadonlySet<string> {
  const changed = new Set(names);
  if (!changed.delete(name)) changed.add(name);
  return changed;
}

/** What the reseller has noted beside the domain. */
const Labels = ({ labels }: Pick<DomainRow, 'labels'>) =>
  labels.map(({ name, value }) => (
    <span key={name} className="label">
      {value ? `${name}: ${value}` : name}
    </span>
  ));
