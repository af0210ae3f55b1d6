import type { DomainName } from '../../kernel/domain-name.ts';
import { Fault } from '../../kernel/faults.ts';
import { leafOr } from '../../kernel/leaf.ts';
import { possessionOf } from '../operation/possession.ts';
import { createChecks } from '../problems.ts';
import { listedPrice } from '../tld/loader.ts';
import { type PurchaseAnswer, tellPurchase } from './answer.ts';
import { fingerprint } from './fingerprint.ts';
import {
  checkBalance,
  checkKey,
  checkPrice,
  checkTld,
  type Guards,
  isClear,
  readFor,
} from './order-checks.ts';
import type { PurchaseServiceDeps } from './service.ts';

export interface TransferInput extends Guards {
  readonly domain: DomainName;
  readonly authCode: string;
  /** Years to pay for, as the TLD lists its transfer price. */
  readonly period: number;
}

/** Moves domains into the account. The checks are those of a registration, as far as they apply. */
export const createTransferService = ({
  api,
  reads,
  purchase,
  options,
  idempotencyKey,
}: PurchaseServiceDeps) => ({
  transfer: (input: TransferInput): Promise<PurchaseAnswer> =>
    tellPurchase(input, async () => {
      const { idempotencyKey: _key, dryRun, ...asked } = input;
      const { domain, period } = input;
      const checks = createChecks();
      const key = checkKey(checks, input, idempotencyKey);
      const intent = {
        kind: 'TRANSFER',
        domain,
        key,
        fingerprint: fingerprint('TRANSFER', asked),
      } as const;
      const findEarlier = async () => (dryRun ? null : purchase.earlier(intent));
      const earlier = await findEarlier();
      if (earlier) return earlier;

      const authCode = input.authCode.trim();
      if (authCode === '') {
        checks.add(new Fault('AUTH_CODE_REQUIRED', { path: ['input', 'authCode'] }));
      }
      const [tld, owned] = await Promise.all([
        checkTld(checks, reads, domain, period),
        readFor(checks, ['input', 'domain'], reads.domains.load(domain)),
      ]);
      if (owned && possessionOf(owned, 'TRANSFER', null) !== 'absent') {
        const code = owned.state === 'PENDING_TRANSFER_IN' ? 'TRANSFER_PENDING' : 'ALREADY_OWNED';
        checks.add(new Fault(code, { path: ['input', 'domain'] }));
      }
      const isPriced = isClear(checks, 'domain', 'period');
      // What several years cost is never worked out: most registries add one year whatever is asked.
      const price = tld && isPriced ? leafOr(listedPrice(tld, 'TRANSFER', period), null) : null;
      if (isPriced) checkPrice(checks, price, input);
      const balanceAfter = await checkBalance(checks, reads, price);
      // What stands in the way now may be this very purchase, sent twice and done meanwhile.
      const meanwhile = checks.faults.length > 0 ? await findEarlier() : null;
      if (meanwhile) return meanwhile;
      checks.finish();
      if (!price) throw new Fault('PRICE_UNAVAILABLE');
      if (dryRun) return { price, balanceAfter };
      const send = () => api.transferdomain({ domain, authCode, period }, options);
      return { ...(await purchase.make({ ...intent, period, price, send })), balanceAfter };
    }),
});
