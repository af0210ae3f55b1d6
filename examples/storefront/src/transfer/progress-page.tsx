import { Badge } from '../shared/badge.tsx';
import { PlainButton } from '../shared/buttons.tsx';
import { dateTimeText } from '../shared/date-time.ts';
import { DomainLabel } from '../shared/domain-label.tsx';
import { Empty } from '../shared/empty.tsx';
import { moneyText } from '../shared/money.ts';
import { RetryNotice } from '../shared/retry-notice.tsx';
import { domainAddress } from '../shared/route.ts';
import { yearsText } from '../shared/years.ts';
import type { Transfer } from './documents.ts';
import { isOpen, stateOf, storyOf } from './transfer-text.ts';
import { useFollowedTransfer } from './use-followed-transfer.ts';

/** The progress of a transfer, also after a reload and in another browser. */
export function TransferProgressPage({ transferKey }: { readonly transferKey: string }) {
  const { transfer, isMissing, problem, isReading, readAgain } = useFollowedTransfer(transferKey);
  if (isMissing)
    return <Empty title="There is no such transfer" href="#/transfer" link="To the transfers" />;
  return (
    <>
      <p className="trail">
        <a href="#/transfer">Transfers</a>
      </p>
      <div className="domain-head">
        <h1>{transfer ? <DomainLabel name={transfer.domainName} /> : 'Your transfer'}</h1>
        {transfer && <Badge tone={stateOf(transfer).tone}>{stateOf(transfer).word}</Badge>}
      </div>
      {problem && <RetryNotice text={problem} isBusy={isReading} retry={readAgain} />}
      {transfer && (
        <section className="card progress-card" aria-label="Transfer">
          <div aria-live="polite">
            {storyOf(transfer).map((sentence) => (
              <p key={sentence}>{sentence}</p>
            ))}
          </div>
          <Receipt transfer={transfer} />
          <NextSteps transfer={transfer} isReading={isReading} readAgain={readAgain} />
        </section>
      )}
    </>
  );
}

function Receipt({
  transfer: { createdAt, period, price, transfer, order },
}: {
  readonly transfer: Transfer;
}) {
  return (
    <dl className="facts">
      <dt>Sent</dt>
      <dd>{dateTimeText(createdAt)}</dd>
      <dt>Period</dt>
      <dd>{yearsText(period)}</dd>
      {price && (
        <>
          <dt>Price</dt>
          <dd>{moneyText(price)}</dd>
        </>
      )}
      {transfer?.endedAt && (
        <>
          <dt>Ended</dt>
          <dd>{dateTimeText(transfer.endedAt)}</dd>
        </>
      )}
      {order && (
        <>
          <dt>Order</dt>
          <dd>
            <a href={`#/orders/${order.id}`}>To its order</a>
          </dd>
        </>
      )}
    </dl>
  );
}

interface NextStepsProps {
  readonly transfer: Transfer;
  readonly isReading: boolean;
  readonly readAgain: () => void;
}

function NextSteps({ transfer: { state, domainName }, isReading, readAgain }: NextStepsProps) {
  if (isOpen(state) || state === 'IN_PROGRESS') {
    return (
      <PlainButton aria-disabled={isReading} onClick={isReading ? undefined : readAgain}>
        Read again
      </PlainButton>
    );
  }
  if (state === 'SUCCEEDED') {
    return (
      <a className="button" href={domainAddress(domainName)}>
        To the domain
      </a>
    );
  }
  // An unknown transfer may have been bought.
  if (state === 'UNKNOWN') return null;
  return (
    <a className="button" href={`#/transfer?domain=${encodeURIComponent(domainName)}`}>
      Start again
    </a>
  );
}
