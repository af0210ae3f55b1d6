import { asDomainState } from '../../kernel/domain-state.ts';
import type { EventType } from '../../kernel/event-types.ts';
import { tryParseInstant } from '../../kernel/instant.ts';
import type { EventRecord } from '../../persistence/event-log.ts';
import type { ChangedValue } from '../changed-value/value.ts';
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
  PRICE_CHANGED: priceOfText,
};

/** The value before or after an event, from its stored text. */
export const eventValue = (
  { type, subject }: Pick<EventRecord, 'type' | 'subject'>,
  text: string | null,
): ChangedValue | null => (text === null ? null : { text, ...reads[type]?.(text, subject) });
