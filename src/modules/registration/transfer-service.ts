import { Fault } from '../../kernel/faults.ts';
import { leafOr } from '../../kernel/leaf.ts';
import { obstacleIn } from '../purchase/possession.ts';
import { listedPrice } from '../tld/loader.ts';
import type { PurchaseAnswer } from './answer.ts';
import { buy, type PurchaseInput } from './buy.ts';
import { checkTld, readFor } from './order-checks.ts';
import type { PurchaseServiceDeps } from './service.ts';

export interface TransferInput extends PurchaseInput {
  readonly authCode: string;
}

/** Moves domains into the account. The checks are those of a registration, as far as they apply. */
export const createTransferService = ({ api, options, ...deps }: PurchaseServiceDeps) => ({
  transfer: (input: TransferInput): Promise<PurchaseAnswer> =>
    buy(deps, 'TRANSFER', input, async (checks) => {
      const { reads } = deps;
      const { domain, period } = input;
      const authCode = input.authCode.trim();
      if (authCode === '') {
        checks.add(new Fault('AUTH_CODE_REQUIRED', { path: ['input', 'authCode'] }));
      }
      const [tld, owned] = await Promise.all([
        checkTld(checks, reads, domain, period),
        readFor(checks, ['input', 'domain'], reads.domains.load(domain)),
      ]);
      const obstacle = obstacleIn(owned, 'TRANSFER');
      if (obstacle) checks.add(new Fault(obstacle, { path: ['input', 'domain'] }));
      // What several years cost is never worked out: most registries add one year whatever is asked.
      const price = tld && leafOr(listedPrice(tld, 'TRANSFER', period), null);
      return {
        tld,
        price,
        send: () => api.transferdomain({ domain, authCode, period }, options),
      };
    }),
});
