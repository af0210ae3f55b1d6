import { cursorText } from '../../src/kernel/cursor.ts';
import { globalId } from '../../src/kernel/global-id.ts';

/** What the arguments of a sample name. */
export interface Target {
  readonly customer: string;
  readonly name: string;
  readonly label: string;
  readonly purchase: string;
  readonly purchaseKey: string;
  readonly order: string;
  readonly orderKey: string;
  readonly change: string;
  readonly changeKey: string;
  readonly webhook: string;
  readonly hookUrl: string;
  readonly event: string;
  readonly profile: string;
  readonly approval: string;
  readonly feed: string;
  readonly cursors: Readonly<Record<'domain' | 'purchase' | 'job' | 'event' | 'profile', string>>;
}

const unknownUuid = '00000000-0000-4000-8000-000000000000';
const longAgo = '2020-01-01T00:00:00.000Z';

export const cursorsOf = (customer: string, name: string, event: string): Target['cursors'] => ({
  profile: cursorText([customer, 'A']),
  domain: cursorText(['NAME ASC', '', name]),
  purchase: cursorText([longAgo, name]),
  job: cursorText([longAgo, name]),
  event,
});

/** Ids, keys and a customer that the account does not have, and a domain by its name. */
export const unknownTarget = (name: string): Target => ({
  ...{ customer: 'zinc', name, label: name.replace(/\..*/, '') },
  ...{ purchase: globalId('Purchase', unknownUuid), purchaseKey: 'other-key' },
  ...{ order: globalId('Order', unknownUuid), orderKey: 'other-order' },
  ...{ change: globalId('BulkChange', unknownUuid), changeKey: 'other-change' },
  ...{ webhook: globalId('Webhook', unknownUuid), hookUrl: 'https://203.0.114.7/' },
  ...{ event: unknownUuid, profile: globalId('ContactProfile', unknownUuid) },
  approval: globalId('Approval', unknownUuid),
  feed: globalId('CalendarFeed', unknownUuid),
  cursors: cursorsOf('zinc', name, cursorText([unknownUuid])),
});
