import { sentenceOf } from './tool-result.ts';

/** A purchase as far as its outcome needs it. */
export interface ToolPurchase {
  readonly state: string;
  readonly id: string;
  readonly errors: readonly { readonly code: string }[];
}

/** What happened to a purchase, and the next step with the tools. */
export function outcomeOf({ state, id, errors }: ToolPurchase): string {
  switch (state) {
    case 'SUCCEEDED':
      return 'The domain was bought.';
    case 'IN_PROGRESS':
      return 'The registrar accepted the transfer. It takes several days. Do not buy it again.';
    case 'FAILED':
      return `The purchase failed, and the account does not have the domain. ${errors.map(sentenceOf).join(' ')} Correct the cause, then call \`quote_purchase\` again.`;
    case 'SENDING':
      return `The purchase is being sent. Do not buy anything again for this domain. Call \`purchase\` with "id": "${id}" in a few seconds to find the outcome.`;
    default:
      return `The outcome is not known. Do not buy anything again for this domain. Call \`purchase\` with "id": "${id}" to find the outcome.`;
  }
}

export const changeRuns = (id: string): string =>
  `The gateway is changing the domains. Call \`change\` with "id": "${id}" in a few seconds to find the outcome.`;
