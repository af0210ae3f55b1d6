import { dateText, daysText, urgencyOf } from '../portfolio/expiry.ts';
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
        <dd>
          {renewalQuote?.highest ? `${moneyText(renewalQuote.highest)} a year` : 'price not known'}
        </dd>
        <dt>Status</dt>
        <dd>{status ?? 'not known'}</dd>
      </dl>
      <p className="hint">
        The registrar has no call that renews a domain, or changes its contacts or DNS records.
      </p>
    </Card>
  );
}
