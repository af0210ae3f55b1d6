// @ts-check
import { detail, linesOf, main, warning, when } from '../../server/ui/live-figures.js';
import { amountOf, counted } from '../../server/ui/page-script.js';

/** @typedef {import('../../server/ui/page-script.js').Money} Money */
/** @typedef {{ count: number, unpriced: number, covered: boolean | null, coverage: { nextStep: string | null }, totals: readonly Money[] }} RenewalsDue */

/** @param {{ reseller: { renewalsDue: RenewalsDue | null, coversRenewalsUntil: string | null, coversRenewalsUntilReason: string | null } }} data */
linesOf.renewals = ({
  reseller: { renewalsDue, coversRenewalsUntil, coversRenewalsUntilReason },
}) =>
  renewalsDue && [
    main(
      `${renewalsDue.coverage.nextStep === null ? '' : 'At least '}${counted(renewalsDue.count, 'domain')}`,
    ),
    ...when(renewalsDue.coverage.nextStep !== null, warning(renewalsDue.coverage.nextStep ?? '')),
    ...when(renewalsDue.count > 0, detail(costOf(renewalsDue))),
    ...when(renewalsDue.covered === false, warning('The balance does not cover these renewals.')),
    ...when(
      coversRenewalsUntil !== null,
      detail(`The balance covers renewals until ${dayOf(coversRenewalsUntil ?? '')}`),
    ),
    ...when(
      coversRenewalsUntilReason !== null,
      detail(`Until when the balance covers renewals is not known: ${coversRenewalsUntilReason}`),
    ),
  ];

/** @param {RenewalsDue} renewals */
function costOf({ totals, unpriced }) {
  const sums = totals.length === 0 ? 'no known price' : totals.map(amountOf).join(' + ');
  return `Renewal for one year: ${sums}${unpriced === 0 ? '' : `, ${unpriced} without a price`}`;
}

/** @param {string} instant */
function dayOf(instant) {
  return new Date(instant).toLocaleDateString();
}
