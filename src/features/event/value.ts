import { asDomainState } from '../../kernel/domain-state.ts';
import { tryParseInstant } from '../../kernel/instant.ts';
import { formatMoney } from '../../kernel/money.ts';
import type { ChangedValue } from '../../modules/changed-value/value.ts';
import type { Quotes } from '../../modules/quote/quotes.ts';
import type { EventType } from '../../scope/hooks.ts';
import type { EventRecord } from './log.ts';
import { moneyOfText, priceOfText } from './price-state.ts';

type Read = (text: string, subject: string) => Omit<ChangedValue, 'text'>;

const readState: Read = (text) => {
  const state = asDomainState(text);
  return state ? { state } : {};
};

const readLock: Read = (text) => (isFlag(text) ? { transferLocked: text === 'true' } : {});

const isFlag = (text: string): boolean => text === 'true' || text === 'false';

const readMoney: Read = (text, currency) => {
  const amount = moneyOfText(text, currency);
  return amount ? { money: amount } : {};
};

/** How the text of each type of event is read. The text of the others is a word of the graph or a sentence. */
const reads: Partial<Record<EventType, Read>> = {
  DOMAIN_ADDED: readState,
  DOMAIN_REMOVED: readState,
  STATE_CHANGED: readState,
  EXPIRY_CHANGED(text) {
    const expiresAt = tryParseInstant(text);
    return expiresAt ? { expiresAt } : {};
  },
  EXPIRING: (text) => (/^\d{1,5}$/.test(text) ? { days: Number(text) } : {}),
  NAME_SERVERS_CHANGED: (text) => ({ nameServers: text.split(' ').filter(Boolean) }),
  TRANSFER_UNLOCKED: readLock,
  TRANSFER_LOCKED: readLock,
  PRIVACY_CHANGED: (text) => (isFlag(text) ? { privacyProtected: text === 'true' } : {}),
  BALANCE_LOW: readMoney,
  RENEWALS_NOT_COVERED: readMoney,
  SPEND_LIMIT_NEAR: readMoney,
  SPEND_LIMIT_REACHED: readMoney,
  PRICE_CHANGED: priceOfText,
};

interface Reader {
  readonly quotes: Pick<Quotes, 'areRetail' | 'priceOf'>;
  /** Whether the reader may know what the registrar charges. */
  readonly seesCosts: boolean;
}

/** Events whose amounts are balances and costs. */
const aboutCosts: readonly EventType[] = [
  'BALANCE_LOW',
  'RENEWALS_NOT_COVERED',
  'SPEND_LIMIT_NEAR',
  'SPEND_LIMIT_REACHED',
];

/**
 * The value before or after an event, from its stored text. With retail prices a price is the one of now for the cost of then,
 * and a reader who must not know costs gets no balances and no sums of costs.
 */
export function eventValue(
  { type, subject }: Pick<EventRecord, 'type' | 'subject'>,
  text: string | null,
  { quotes, seesCosts }: Reader,
): ChangedValue | null {
  if (text === null) return null;
  const value = { text, ...reads[type]?.(text, subject) };
  if (!quotes.areRetail) return value;
  if (aboutCosts.includes(type) && !seesCosts) return null;
  return type === 'PRICE_CHANGED' ? retailValue(value, subject, quotes) : value;
}

/** Null for a price that cannot be read, or that the shop does not have. */
function retailValue(
  { operation, period, money: cost }: ChangedValue,
  tld: string,
  quotes: Reader['quotes'],
): ChangedValue | null {
  if (!operation || period === undefined || !cost) return null;
  const price = quotes.priceOf({ tld, operation, period, premium: false }, cost);
  return (
    price && {
      text: `${operation} ${period} ${formatMoney(price)}`,
      operation,
      period,
      money: price,
    }
  );
}
