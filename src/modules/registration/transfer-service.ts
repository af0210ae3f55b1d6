import { Fault } from '../../kernel/faults.ts';
import { checkDomain } from '../input-text.ts';
import { createChecks } from '../problems.ts';
import { obstacleIn } from '../purchase/possession.ts';
import { quoteTld } from '../quote/quote.ts';
import type { PurchaseAnswer } from './answer.ts';
import { buy } from './buy.ts';
import { checkTld, type Guards, readFor } from './order-checks.ts';
import type { PurchaseServiceDeps } from './service.ts';

/** As a client writes it: the name in any spelling. */
export interface TransferInput extends Guards {
  readonly domain: string;
  readonly period: number;
  readonly authCode: string;
}

/** Moves domains into the account. The checks are those of a registration, as far as they apply. */
export const createTransferService = ({ api, options, ...deps }: PurchaseServiceDeps) => ({
  transfer(input: TransferInput): Promise<PurchaseAnswer> {
    const checks = createChecks();
    const asked = { ...input, domain: checkDomain(checks, input.domain) };
    const authCode = input.authCode.trim();
    if (authCode === '') {
      checks.add(new Fault('AUTH_CODE_REQUIRED', { path: ['input', 'authCode'] }));
    }
    return buy(deps, 'TRANSFER', asked, checks, async (domain) => {
      const { reads } = deps;
      const { period } = input;
      const [tld, owned] = await Promise.all([
        checkTld(checks, reads, domain, period),
        readFor(checks, ['input', 'domain'], reads.domains.load(domain)),
      ]);
      const obstacle = obstacleIn(owned, 'TRANSFER');
      if (obstacle) checks.add(new Fault(obstacle, { path: ['input', 'domain'] }));
      return {
        tld,
        quote: tld && quoteTld(tld, 'TRANSFER', period),
        send: () => api.transferdomain({ domain, authCode, period }, options),
      };
    });
  },
});
