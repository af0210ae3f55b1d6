/** The types of the events that this feature finds. */
export const eventTypes = {
  DOMAIN_ADDED:
    'The gateway learned of the domain. `after` is its state. After a purchase the next comparison finds it: follow `PURCHASE_SETTLED` for the outcome.',
  DOMAIN_REMOVED: 'The account no longer has the domain. `before` is its state.',
  STATE_CHANGED: 'The state of the domain changed.',
  EXPIRY_CHANGED: 'The expiry date changed, for example by a renewal.',
  EXPIRING:
    'The domain expires within a number of days, which is `after`: one of `EXPIRY_EVENT_DAYS`. Each number is an event once, unless the expiry date changes.',
  NAME_SERVERS_CHANGED: 'The name servers changed.',
  TRANSFER_UNLOCKED: 'The transfer lock was removed.',
  TRANSFER_LOCKED: 'The transfer lock was set.',
  PRIVACY_CHANGED: 'Privacy protection was turned on or off.',
  PURCHASE_SETTLED:
    'A purchase of this gateway reached its outcome, which is `after`: `SUCCEEDED`, `FAILED` or `UNKNOWN`. It is the event to follow for one registration or transfer, because each has it. An outcome that is corrected later is another event.',
  TRANSFER_COMPLETED:
    'A transfer into the account is complete. Sent in addition to `PURCHASE_SETTLED`, for clients that follow transfers only.',
  TRANSFER_REJECTED:
    'A transfer into the account ended without the domain. `after` is `REJECTED` or `CANCELLED`. Sent in addition to `PURCHASE_SETTLED`. A transfer that the registrar did not accept has `PURCHASE_SETTLED` only.',
  BALANCE_LOW:
    'The balance of the currency in `subject` fell below its threshold in `BALANCE_LOW`. It is an event again after the balance reached the threshold.',
  RENEWALS_NOT_COVERED:
    'The balance of the currency in `subject` no longer covers the renewals that are due within `RENEWALS_DAYS`. `after` is their total.',
  SPEND_LIMIT_NEAR:
    'The purchases of 24 hours reached `SPEND_LIMIT_NEAR_PERCENT` of a daily spend limit. `subject` is the currency, `before` the limit and `after` the amount that was spent. `caller` is the key whose limit it is; null for the limit of the gateway. Once for each limit and UTC day.',
  SPEND_LIMIT_REACHED:
    'A daily spend limit refused a purchase that is below the limit on its own, or is used up. The values are those of `SPEND_LIMIT_NEAR`. Once for each limit and UTC day.',
  PRICE_CHANGED:
    'A price of the TLD in `subject` changed, appeared or was removed. `before` and `after` have the operation, the years, the amount and the currency. Where prices differ from costs, they are the prices of now for the costs before and after.',
} as const;

type OwnTypes = { readonly [Type in keyof typeof eventTypes]: true };

declare module '../../scope/hooks.ts' {
  interface EventTypes extends OwnTypes {}
}
