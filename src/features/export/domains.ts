import { unicodeName } from '../../kernel/domain-name.ts';
import { isExpired } from '../../kernel/domain-state.ts';
import { valueOr } from '../../kernel/field-result.ts';
import type { Label } from '../../kernel/label.ts';
import { customers } from '../../modules/customer/service.ts';
import { portfolio } from '../../modules/portfolio/service.ts';
import type { Scope } from '../../scope/scope.ts';
import type { DomainDetails } from '../../upstream/domain-api/shapes.ts';
import type { ExportParameters } from './parameters.ts';
import { createTable, plain, type Table, type TableColumns } from './table.ts';

/** No column has a secret: auth codes are not in the cached list. */
const columnsAt = (now: Date): TableColumns<ExportedDomain> => ({
  name: ({ name }) => name,
  unicodeName: ({ name }) => unicodeName(name),
  state: ({ state, expiresAt }) =>
    isExpired(state, valueOr(expiresAt, null), now) ? 'EXPIRED' : state,
  ...plain('status', 'registeredAt', 'expiresAt', 'transferLocked', 'privacyProtected'),
  ...plain('nameServers', 'upstreamId', 'customer'),
  labels: ({ labels }) =>
    labels.length > 0
      ? JSON.stringify(Object.fromEntries(labels.map(({ name, value }) => [name, value])))
      : null,
});

interface ExportedDomain extends DomainDetails {
  readonly customer: string | null;
  readonly labels: readonly Label[];
}

/** Domains whose customers and labels are read together; see `StoredReads.batched`. */
const rowsPerRead = 100;

async function* withOwners(
  rows: Iterable<DomainDetails>,
  use: Scope['use'],
): AsyncGenerator<ExportedDomain, void> {
  const exported = async (row: DomainDetails): Promise<ExportedDomain> => {
    const [customer, labels] = await Promise.all([
      use(customers).customerOf(row.name),
      use(customers).labelsOf(row.name),
    ]);
    return { ...row, customer, labels };
  };
  let part: DomainDetails[] = [];
  for (const row of rows) {
    part.push(row);
    if (part.length < rowsPerRead) continue;
    yield* await Promise.all(part.map(exported));
    part = [];
  }
  yield* await Promise.all(part.map(exported));
}

/** The domains of the cached list, as they are when the export begins. */
export async function exportDomains(
  { use, clock }: Scope,
  parameters: ExportParameters,
): Promise<Table> {
  const { rows, ...coverage } = await use(portfolio).rows(parameters.domains, parameters.order);
  return createTable(columnsAt(clock.now()), withOwners(rows, use), coverage);
}
