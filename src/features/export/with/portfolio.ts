import { parseDomainName, unicodeName } from '../../../kernel/domain-name.ts';
import {
  asDomainState,
  type DomainState,
  domainStates,
  isExpired,
} from '../../../kernel/domain-state.ts';
import { invalidInput, valueOr } from '../../../kernel/faults.ts';
import { isLabelName, type Label, type LabelFilter } from '../../../kernel/label.ts';
import { quoted } from '../../../lib/text.ts';
import { customers } from '../../../modules/customer/service.ts';
import type { Scope } from '../../../scope/scope.ts';
import type { DomainDetails } from '../../../upstream/domain-api/shapes.ts';
import type { DomainFilterInput } from '../../portfolio/filter-resolver.ts';
import { type DomainOrder, portfolio } from '../../portfolio/service.ts';
import { exportFiles } from '../files.ts';
import type { ExportParameters } from '../parameters.ts';
import { createTable, plain, type Table, type TableColumns } from '../table.ts';

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

function stateOf(text: string): DomainState {
  const state = asDomainState(text);
  if (state !== null) return state;
  throw invalidInput(`${quoted(text)} is no state; the states are ${domainStates.join(', ')}.`);
}

/** `name` and `name=value`. Names have signs of equality too, so that a text with several has several readings. */
function readingsOf(text: string): readonly LabelFilter[] {
  const parts = text.split('=');
  const readings = parts.flatMap((_part, at) => {
    const name = parts.slice(0, at + 1).join('=');
    const value = at === parts.length - 1 ? null : parts.slice(at + 1).join('=');
    return isLabelName(name) ? [{ name, value }] : [];
  });
  // The check of the filter refuses it.
  return readings.length > 0 ? readings : [{ name: text, value: null }];
}

/** The conditions that a domain must meet. */
function filterOf(parameters: ExportParameters): Required<Omit<DomainFilterInput, 'labels'>> {
  const nameServer = parameters.value('nameServer');
  const list = (name: string) => (parameters.value(name) === null ? null : parameters.all(name));
  return {
    customer: parameters.customer,
    contains: parameters.value('contains'),
    tlds: list('tld'),
    states: list('state')?.map(stateOf) ?? null,
    expires: { from: parameters.time('expiresAfter'), until: parameters.time('expiresBefore') },
    transferLocked: parameters.flag('transferLocked'),
    privacyProtected: parameters.flag('privacyProtected'),
    nameServer: nameServer === null ? null : parseDomainName(nameServer),
    eitherLabels: parameters.all('label').map(readingsOf),
  };
}

const orderOf = (parameters: ExportParameters): DomainOrder => ({
  field: parameters.choice('orderBy', ['NAME', 'EXPIRES_AT', 'REGISTERED_AT']),
  direction: parameters.choice('direction', ['ASC', 'DESC']),
});

/** The domains of the cached list, as they are when the export begins. */
async function exportDomains({ use, clock }: Scope, parameters: ExportParameters): Promise<Table> {
  const { rows, ...coverage } = await use(portfolio).rows(
    filterOf(parameters),
    orderOf(parameters),
  );
  return createTable(columnsAt(clock.now()), withOwners(rows, use), coverage);
}

exportFiles['domains.csv'] = {
  needed: ['domains:read'],
  upstreamCalls: 1,
  parameters: [
    ...['customer', 'label', 'contains', 'tld', 'state', 'expiresAfter', 'expiresBefore'],
    ...['transferLocked', 'privacyProtected', 'nameServer', 'orderBy', 'direction'],
  ],
  open: exportDomains,
  with: 'portfolio',
};
exportFiles['domains.jsonl'] = exportFiles['domains.csv'];
