import { hash } from 'node:crypto';
import { isTransferOfAnyDirection } from '../kernel/domain-state.ts';
import { Fault, valueOr } from '../kernel/faults.ts';
import type { Journal } from '../persistence/journal.ts';
import type { DomainActions } from '../upstream/domain-api/client.ts';
import type { UnnamedDetails } from '../upstream/domain-api/shapes.ts';
import type { RowSink } from '../upstream/wire/row-reader.ts';

/** The domains with an open transfer into the account. */
type Arriving = ReadonlySet<string>;

interface ArrivingOptions {
  readonly journal: Pick<Journal, 'openTransfers'>;
  readonly account: string;
}

/**
 * The actions with the direction of the status `pendingTransfer`, which has none itself. It is incoming for a domain with an
 * open transfer in the journal, and outgoing for any other.
 *
 * A journal that cannot be read fails no read of a domain: then all pending transfers are outgoing.
 */
export function withArrivingDomains(
  actions: DomainActions,
  { journal, account }: ArrivingOptions,
): DomainActions {
  const readArriving = async (): Promise<Arriving> => {
    try {
      return new Set(await journal.openTransfers(account));
    } catch (error) {
      if (error instanceof Fault) return new Set();
      throw error;
    }
  };
  return {
    ...actions,
    async getdetails(request, options) {
      const details = await actions.getdetails(request, options);
      return hasNoDirection(details)
        ? withDirection(details, request.domain, await readArriving())
        : details;
    },
    async getdomainlist(request, options) {
      const arriving = await readArriving();
      if (arriving.size === 0) return actions.getdomainlist(request, options);
      const rowSink = options?.rowSink && sinkOf(options.rowSink, arriving);
      const reply = await actions.getdomainlist(request, {
        ...options,
        ...(rowSink && { rowSink }),
      });
      const domains = reply.domains.map((row) => withDirection(row, row.name, arriving));
      return { ...reply, domains };
    },
  };
}

const hasNoDirection = ({ state, status }: UnnamedDetails): boolean =>
  state === 'PENDING_TRANSFER_OUT' && isTransferOfAnyDirection(valueOr(status, null) ?? '');

const withDirection = <Row extends UnnamedDetails>(
  row: Row,
  name: string,
  arriving: Arriving,
): Row =>
  arriving.has(name) && hasNoDirection(row) ? { ...row, state: 'PENDING_TRANSFER_IN' } : row;

/** The digest of a row includes the arriving domains: equal bytes can be another state after a transfer began or ended. */
function sinkOf(sink: RowSink, arriving: Arriving): RowSink {
  const version = hash('sha1', [...arriving].sort().join('\n'), 'binary').slice(0, 8);
  const corrected = (row: unknown): unknown => {
    const details = row as UnnamedDetails | undefined;
    return details?.name ? withDirection(details, details.name, arriving) : row;
  };
  return {
    begin: (read) => sink.begin((stored) => corrected(read(stored))),
    takeKnown: (digest) => sink.takeKnown(version + digest),
    take: (row, stored, digest) => sink.take(corrected(row), stored, version + digest),
  };
}
