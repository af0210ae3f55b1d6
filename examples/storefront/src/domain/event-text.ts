import { isState, states } from '../portfolio/states.ts';
import type { DomainEvent } from './documents.ts';
import { valueText } from './value-text.ts';

type Texts = Readonly<Record<DomainEvent['type'], (event: DomainEvent) => string>>;

const stateText = (value: string | null) =>
  value !== null && isState(value) ? states[value].word : valueText(value);

const fromTo =
  (title: string, text = valueText) =>
  ({ before, after }: DomainEvent) =>
    `${title}: ${text(before)} → ${text(after)}`;

const texts: Texts = {
  DOMAIN_ADDED: ({ after }) => `Added to the account: ${stateText(after)}`,
  DOMAIN_REMOVED: () => 'No longer in the account',
  STATE_CHANGED: fromTo('State', stateText),
  EXPIRY_CHANGED: fromTo('Expires'),
  EXPIRING: ({ after }) =>
    after === '1' ? 'Expires within a day' : `Expires within ${after} days`,
  NAME_SERVERS_CHANGED: fromTo('Name servers'),
  TRANSFER_LOCK_CHANGED: fromTo('Transfer lock'),
  PRIVACY_CHANGED: fromTo('Privacy'),
};

/** An event in words. The graph may have kinds that this storefront does not know. */
export const eventText = (event: DomainEvent): string =>
  (texts as Partial<Texts>)[event.type]?.(event) ?? fromTo('Changed')(event);
