import { dateText, daysText, urgencyOf } from '../portfolio/expiry.ts';
import { isStaff } from '../session/session.ts';
import { Card } from '../shared/card.tsx';
import { moneyText } from '../shared/money.ts';
import type { Domain } from './documents.ts';

export function Facts({ domain }: { readonly domain: Domain }) {
  const { registeredAt, expiresAt, status, renewalQuote } = domain;
  return (
    <Card title="Registration">
      <dl className="facts">
        <dt>Registered</dt>
        <dd>{registeredAt ? dateText(registeredAt) : 'no date'}</dd>
        <dt>Expires</dt>
        <dd className={`expiry expiry-${urgencyOf(domain)}`}>
          {expiresAt ? dateText(expiresAt) : 'no date'} <small>{daysText(domain)}</small>
        </dd>
        <dt>Renewal</dt>
        <dd>{renewalQuote ? renewalText(renewalQuote) : 'price not known'}</dd>
        <dt>Status</dt>
        <dd>{status ?? 'not known'}</dd>
      </dl>
      <p className="hint">
        {isStaff
          ? 'The registrar has no call that renews a domain, or changes its contacts or DNS records.'
          : 'To renew the domain, or to change its contacts, please contact us.'}
      </p>
    </Card>
  );
}

function renewalText({ period, highest }: NonNullable<Domain['renewalQuote']>): string {
  if (!highest) return 'price not known';
  return `${moneyText(highest)} ${period === 1 ? 'a year' : `for ${period} years`}`;
}
