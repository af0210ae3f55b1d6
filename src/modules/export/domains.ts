import { unicodeName } from '../../kernel/domain-name.ts';
import { isExpired } from '../../kernel/domain-state.ts';
import { valueOr } from '../../kernel/field-result.ts';
import type { DomainDetails } from '../../upstream/domain-api/shapes.ts';
import type { Scope } from '../scope.ts';
import { createTable, type Table, type TableColumns } from './table.ts';

/** No column has a secret: auth codes are not in the cached list. */
const columnsAt = (now: Date): TableColumns<DomainDetails> => ({
  name: ({ name }) => name,
  unicodeName: ({ name }) => unicodeName(name),
  state: ({ state, expiresAt }) =>
    isExpired(state, valueOr(expiresAt, null), now) ? 'EXPIRED' : state,
  status: ({ status }) => status,
  registeredAt: ({ registeredAt }) => registeredAt,
  expiresAt: ({ expiresAt }) => expiresAt,
  transferLocked: ({ transferLocked }) => transferLocked,
  privacyProtected: ({ privacyProtected }) => privacyProtected,
  nameServers: ({ nameServers }) => nameServers,
  upstreamId: ({ upstreamId }) => upstreamId,
});

/** The domains of the cached list by name, as they are when the export begins. */
export async function exportDomains({ loaders, clock }: Scope): Promise<Table> {
  const { index, asOf, complete } = await loaders.domains.list();
  return createTable(columnsAt(clock.now()), index.rows(), { asOf, complete });
}
