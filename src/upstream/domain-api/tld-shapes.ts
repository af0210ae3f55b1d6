import { parseTld } from '../../kernel/domain-name.ts';
import { Fault, type FieldResult, valueOr } from '../../kernel/faults.ts';
import type { Money, PriceOperation } from '../../kernel/money.ts';
import {
  fieldsOf,
  integer,
  isAbsent,
  isZero,
  type Members,
  map,
  numberedMap,
  objectOf,
  readPrice,
  succeeded,
  text,
  upstreamId,
} from '../wire/read.ts';

/** By the key of the upstream, in lower case; any other key is `OTHER`. */
const operationOfKey = {
  registration: 'REGISTRATION',
  renew: 'RENEWAL',
  renewal: 'RENEWAL',
  transfer: 'TRANSFER',
  restore: 'RESTORE',
  backorder: 'BACKORDER',
  refund: 'REFUND',
} as const;

/** Operations that are never free: a transfer may be. */
const paidOperations: ReadonlySet<PriceOperation> = new Set(['REGISTRATION', 'RENEWAL', 'RESTORE']);

const operationByKey = new Map<string, PriceOperation>(Object.entries(operationOfKey));

export interface TldPrice {
  readonly operation: PriceOperation;
  /** The key of the upstream, such as `registration` or `setup`. */
  readonly upstreamOperation: string;
  /** Years; the upstream also sends `"0"`. */
  readonly period: number;
  readonly price: FieldResult<Money>;
}

/**
 * Two maps, `{operation: {period: price}}` and `{operation: currency}`; either, and any part, may be absent or `[]`.
 * `hasAllPrices` is false when some part cannot be read.
 */
function readPrices({ pricing, currencies }: Members) {
  const prices: TldPrice[] = [];
  const operations = map(pricing);
  const currencyOf = map(currencies) ?? {};
  let hasAllPrices = operations !== undefined;
  for (const [key, listed] of Object.entries(operations ?? {})) {
    const operation = operationByKey.get(key.toLowerCase()) ?? 'OTHER';
    const periods = numberedMap(listed);
    if (!periods) hasAllPrices = false;
    for (const [period, amount] of Object.entries(periods ?? {})) {
      if (isAbsent(amount) || (paidOperations.has(operation) && isZero(amount))) continue;
      const price = readPrice(amount, currencyOf[key], `the ${key} price`);
      const isPeriod = /^\d{1,3}$/.test(period);
      if (!isPeriod || price instanceof Fault) hasAllPrices = false;
      if (isPeriod)
        prices.push({ operation, upstreamOperation: key, period: Number(period), price });
    }
  }
  return { prices: prices as readonly TldPrice[], hasAllPrices };
}

const readFields = fieldsOf({
  upstreamId: { wire: 'id', read: upstreamId },
  status: { wire: 'status', read: text },
  minLength: { wire: 'minchar', read: integer },
  maxLength: { wire: 'maxchar', read: integer },
  minPeriod: { wire: 'minperiod', read: integer },
  maxPeriod: { wire: 'maxperiod', read: integer },
});

const readTld = (members: Members) => ({
  ...readFields(members),
  /** ASCII, without a leading dot; null when the reply has no valid TLD. */
  name: typeof members.tld === 'string' ? parseTld(members.tld) : null,
  ...readPrices(members),
});

export const tldEntry = objectOf(readTld);

/** A TLD of the price list. */
export type TldDetails = Omit<ReturnType<typeof readTld>, 'name'> & { readonly name: string };

const isNamed = (row: ReturnType<typeof readTld>): row is TldDetails => row.name !== null;

/** One row of `data`; null without a valid TLD. */
export function tldRow(row: unknown): TldDetails | null {
  const tld = tldEntry(row);
  return tld && isNamed(tld) ? tld : null;
}

/**
 * The rows are decoded already. `rowCount` includes those without a valid TLD, and repetitions.
 *
 * @throws Fault for a list without a TLD, which an upstream sends when it cannot read its own list
 */
export const tldsReply = succeeded(({ data }) => {
  if (!Array.isArray(data)) return undefined;
  const named = data.filter((row: TldDetails | null) => row !== null);
  if (named.length === 0) throw noTlds;
  return {
    tlds: onePerName(named),
    rowCount: data.length,
    hasEveryRow: named.length === data.length,
  };
});

const noTlds = new Fault('UPSTREAM_PROTOCOL', {
  message: 'The registrar returned a price list without a TLD; retry later.',
  executed: 'NO',
  retryable: true,
});

/** Rows such as `com` and `.COM` are one TLD: the first of them that is sold counts, or else the first. */
function onePerName(rows: readonly TldDetails[]): readonly TldDetails[] {
  const byName = new Map<string, TldDetails>();
  for (const row of rows) {
    const known = byName.get(row.name);
    if (!known || (!isSold(known) && isSold(row))) byName.set(row.name, row);
  }
  return [...byName.values()];
}

const isSold = ({ status, prices }: TldDetails): boolean =>
  valueOr(status, '').trim().toLowerCase() === 'active' &&
  prices.some(({ operation, price }) => operation === 'REGISTRATION' && !(price instanceof Fault));
