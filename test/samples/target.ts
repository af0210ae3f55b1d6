import { cursorText } from '../../src/kernel/ids.ts';

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
  readonly event: string;
  /** Of the stored objects of the samples, by their names. */
  readonly ids: Readonly<Record<string, string>>;
  /** The label of these objects. */
  readonly objectLabel: string;
  readonly cursors: Readonly<Record<'domain' | 'purchase' | 'job' | 'event', string>>;
}

export const unknownUuid = '00000000-0000-4000-8000-000000000000';
const longAgo = '2020-01-01T00:00:00.000Z';

export const cursorsOf = (name: string, event: string): Target['cursors'] => ({
  domain: cursorText(['NAME ASC', '', name]),
  purchase: cursorText([longAgo, name]),
  job: cursorText([longAgo, name]),
  event,
});
