import { Decimal } from '../../kernel/money.ts';
import type { HttpRequest } from '../../server/http/http-request.ts';
import { inProcessHost, urlOf } from '../../server/http/routes.ts';
import { type Price, sentencesOf, shownPrice } from './tool-result.ts';

/** The approval that a purchase or a change waits for. */
export interface ToolApproval {
  readonly id: string;
  readonly state: string;
  readonly expiresAt: string;
}

/** Returns the address of the page of an approval. */
export type AddressOf = (approvalId: string) => string;

export const waitsForApproval = (
  { id, state, expiresAt }: ToolApproval,
  addressOf: AddressOf,
): string =>
  state === 'GRANTED'
    ? 'Another person approved it, and the gateway has not sent it yet.'
    : `It waits for the approval of another person until ${expiresAt}, and nothing was sent. Give the user this address, where the other person decides: ${addressOf(id)}`;

/** A purchase as far as its outcome needs it. */
export interface ToolPurchase {
  readonly state: string;
  readonly id: string;
  readonly errors: readonly { readonly code: string }[];
  readonly approval?: ToolApproval | null;
}

/** What happened to a purchase, and the next step with the tools. */
export function outcomeOf({ state, id, errors, approval }: ToolPurchase, addressOf: AddressOf) {
  switch (state) {
    case 'AWAITING_APPROVAL':
      return `${approval ? waitsForApproval(approval, addressOf) : 'It waits for the approval of another person.'} Do not buy anything again for this domain. Call \`purchase\` with "id": "${id}" later to find the outcome.`;
    case 'SUCCEEDED':
      return 'The domain was bought.';
    case 'IN_PROGRESS':
      return 'The registrar accepted the transfer. It takes several days. Do not buy it again.';
    case 'FAILED':
      return `The purchase failed, and the account does not have the domain. ${sentencesOf(errors)} Correct the cause, then call \`quote_purchase\` again.`;
    case 'SENDING':
      return `The purchase is being sent. Do not buy anything again for this domain. Call \`purchase\` with "id": "${id}" in a few seconds to find the outcome.`;
    default:
      return `The outcome is not known. Do not buy anything again for this domain. Call \`purchase\` with "id": "${id}" to find the outcome.`;
  }
}

export const replayedHandle = (what: string): string =>
  `This handle was used before; nothing was ${what} again.`;

/** A quote as far as its sentences need it. */
export interface ToolQuote {
  readonly certainty: string;
  readonly period: number;
  readonly premium: boolean | null;
  readonly lowest: Price | null;
  readonly highest: Price | null;
  readonly renewalPrice: Price | null;
}

/** Whether a year costs more than twice as much as a year of the quoted period. */
const isDearRenewal = ({ period, lowest, renewalPrice }: ToolQuote): boolean =>
  lowest !== null &&
  renewalPrice?.currency === lowest.currency &&
  Decimal.parse(renewalPrice.amount)
    .times(Decimal.parse(`${period}`))
    .compare(Decimal.parse(lowest.amount).times(Decimal.parse('2'))) > 0;

export function renewalNote(quote: ToolQuote): string {
  if (!quote.renewalPrice) return 'The price of renewals is not known.';
  return `A renewal costs ${shownPrice(quote.renewalPrice)} a year${isDearRenewal(quote) ? ', much more than this' : ''}.`;
}

/** Also the reason why a tool that writes does not exist. */
export const writesOff =
  'Buying and changing are off on this gateway: its operator enables them with MCP_WRITES=true.';
export const writesOn =
  'Buying and changing are on, as far as the scopes of the caller allow them.';

/** A name as far as its sentences need it. */
export interface Checked {
  readonly state: string;
  readonly quote: ToolQuote;
}

export const checkNotes = (checked: readonly Checked[]): readonly string[] => [
  ...(checked.some(({ state }) => state === 'UNKNOWN') ? [unknownState] : []),
  ...(checked.some(({ quote }) => quote.certainty === 'ESTIMATED') ? [estimated] : []),
  ...(checked.some(({ quote }) => isDearRenewal(quote)) ? [dearRenewals] : []),
];

const dearRenewals =
  'Some renewals cost much more than the registration: show the user `renewalPrice` too.';
const unknownState =
  'UNKNOWN does not mean TAKEN: the check failed, and `reason` says why. If `retryable` is true, check the name again.';
export const estimated =
  'ESTIMATED: the price list has no price for this period. The registrar charges the first-year price for every year, or the first year and then renewals; `lowest` and `highest` are these two totals.';

/** The address of the page of an approval, for a user of the tools. Only the path where the gateway serves no pages. */
export function approvalAddress({ node, headers: { host = '' } }: HttpRequest, id: string): string {
  const path = `/approvals/${id}`;
  if (host === inProcessHost) return path;
  // Another server may have mounted the gateway below a path.
  const [mount = ''] = (node.url ?? '').split(/\/mcp(?=[/?]|$)/);
  return urlOf(host, `${mount}${path}`);
}
