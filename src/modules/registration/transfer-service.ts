import type { DomainName } from '../../kernel/domain-name.ts';
import { Fault } from '../../kernel/faults.ts';
import { createChecks } from '../problems.ts';
import { priceForYears } from '../tld/loader.ts';
import { type PurchaseAnswer, tellPurchase } from './answer.ts';
import { fingerprint } from './fingerprint.ts';
import {
  checkBalance,
  checkKey,
  checkPrice,
  checkTld,
  type Guards,
  readFor,
} from './order-checks.ts';
import type { PurchaseServiceDeps } from './service.ts';

export interface TransferInput extends Guards {
  readonly domain: DomainName;
  readonly authCode: string;
  /** Years that the transfer adds. */
  readonly period: number;
}

/** Moves domains into the account. The checks are those of a registration, as far as they apply. */
export const createTransferService = ({ api, reads, purchase, options }: PurchaseServiceDeps) => ({
  transfer: (input: TransferInput): Promise<PurchaseAnswer> =>
    tellPurchase(input, async () => {
      const { idempotencyKey: _key, dryRun, ...asked } = input;
      const { domain, period } = input;
      const checks = createChecks();
      const key = checkKey(checks, input);
      const intent = {
        kind: 'TRANSFER',
        domain,
        key,
        fingerprint: fingerprint('TRANSFER', asked),
      } as const;
      const earlier = dryRun ? null : await purchase.earlier(intent);
      if (earlier) return earlier;

      const authCode = input.authCode.trim();
      if (authCode === '') {
        checks.add(new Fault('AUTH_CODE_REQUIRED', { path: ['input', 'authCode'] }));
      }
      const [tld, owned] = await Promise.all([
        checkTld(checks, reads, domain, period),
        readFor(checks, ['input', 'domain'], reads.domains.load(domain)),
      ]);
      if (owned) checks.add(new Fault('ALREADY_OWNED', { path: ['input', 'domain'] }));
      const price = tld && priceForYears(tld, 'TRANSFER', period);
      if (tld) checkPrice(checks, price, input);
      const balanceAfter = await checkBalance(checks, reads, price);
      checks.finish();
      if (!price) throw new Fault('PRICE_UNAVAILABLE');
      if (dryRun) return { price, balanceAfter };
      const send = () => api.transferdomain({ domain, authCode, period }, options);
      return { ...(await purchase.make({ ...intent, period, price, send })), balanceAfter };
    }),
});
