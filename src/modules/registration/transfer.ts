import { Fault } from '../../kernel/faults.ts';
import { checkDomain } from '../mutation/checks.ts';
import { obstacleIn } from '../purchase/ownership.ts';
import { quoteTld } from '../quote/quote.ts';
import { checkTld, type PurchaseGuards, readFor } from './checks.ts';
import type { PurchaseOperation } from './purchase-flow.ts';

/** The input of `transferDomain`, with the name in any spelling. */
export interface TransferInput extends PurchaseGuards {
  readonly domain: string;
  readonly period: number;
  readonly authCode: string;
}

/** Transfers a domain into the account. */
export const transferOperation: PurchaseOperation<TransferInput> = {
  kind: 'TRANSFER',
  prepare(checks, input) {
    const { period } = input;
    const authCode = input.authCode.trim();
    if (authCode === '') checks.add(new Fault('AUTH_CODE_REQUIRED'));
    return {
      input: { ...input, domain: checkDomain(checks, input.domain) },
      async check(reads, domain) {
        const path = ['input', 'domain'];
        const [tld, owned] = await Promise.all([
          checkTld(checks, reads, domain, period),
          readFor(checks, path, reads.domains.load(domain)),
        ]);
        const obstacle = obstacleIn(owned, 'TRANSFER');
        if (obstacle) checks.add(new Fault(obstacle, { path }));
        return { tld, quote: tld && quoteTld(tld, 'TRANSFER', period) };
      },
      send: (api, domain, options) => api.transferdomain({ domain, authCode, period }, options),
    };
  },
};
