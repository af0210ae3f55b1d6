import { Fragment, useState } from 'react';
import { useClient } from 'urql';
import { cart, type PlacedOrder, returnToCart } from '../cart/cart.ts';
import { sendChange } from '../graph/send-change.ts';
import { paysByCard } from '../session/session.ts';
import { dateTimeText } from '../shared/date-time.ts';
import { Empty } from '../shared/empty.tsx';
import { isZero, moneyText, totalsText } from '../shared/money.ts';
import { useStored } from '../shared/stored.ts';
import { cancelDocument, type Order, type OrderLine, type Payment } from './documents.ts';
import { OrderLineItem } from './order-line.tsx';
import { PayForm } from './pay-form.tsx';
import { isUnderWay, useOrder } from './use-order.ts';

const titles: Readonly<Record<Order['state'], string>> = {
  AWAITING_APPROVAL: 'Your order waits for an approval',
  AWAITING_PAYMENT: 'Your order waits for its payment',
  RUNNING: 'Your order is in progress',
  SUCCEEDED: 'Your order is complete',
  PARTIAL: 'Your order is not complete',
  FAILED: 'You have no domain of this order',
  STOPPED: 'The rest of this order is cancelled',
};

function titleOf({ state, payment }: Order): string {
  if (payment?.state === 'EXPIRED') return 'This order was not paid in time';
  if (payment?.state === 'CANCELLED') return 'This order is cancelled';
  return titles[state];
}

/** The progress of an order, and its receipt from then on. */
export function OrderPage({ id }: { readonly id: string }) {
  const { order, lines, isMissing, isLost } = useOrder(id);
  const here = useStored(cart).orders.find((one) => one.id === id);
  if (isMissing)
    return <Empty title="There is no such order" href="#/cart" link="Go to the cart" />;
  return (
    <>
      <h1>{order ? titleOf(order) : 'Your order'}</h1>
      {isLost && (
        <p className="notice notice-bad" role="alert">
          The connection is lost. This page connects again automatically; the order continues.
        </p>
      )}
      {order && (
        <div className="cart">
          <div>
            <OrderProgress order={order} />
            <ul className="lines" aria-label="Domains of the order">
              {lines.map((line) => (
                <OrderLineItem key={line.position} line={line} name={nameIn(here, line)} />
              ))}
            </ul>
          </div>
          <Receipt order={order} lines={lines} here={here} />
        </div>
      )}
    </>
  );
}

/** The name in its own script, which the order does not have. */
const nameIn = (here: PlacedOrder | undefined, { domainName, position }: OrderLine): string =>
  here?.lines.find(({ name }) => name === domainName)?.unicodeName ??
  domainName ??
  `Line ${position + 1}`;

function OrderProgress({ order: { progress } }: { readonly order: Order }) {
  const total = Object.values(progress).reduce((sum, count) => sum + count, 0);
  const { waiting, sending, pending, inProgress } = progress;
  const ended = total - waiting - sending - pending - inProgress;
  return (
    <div className="order-progress">
      <p aria-live="polite">
        <strong>{progress.succeeded}</strong> of {total} complete
      </p>
      <progress aria-label="Domains with an outcome" max={total} value={ended} />
    </div>
  );
}

function Receipt({
  order,
  lines,
  here,
}: {
  readonly order: Order;
  readonly lines: readonly OrderLine[];
  readonly here: PlacedOrder | undefined;
}) {
  const { payment } = order;
  const isRunning = isUnderWay(order);
  return (
    <section className="checkout" aria-label="Receipt">
      <dl className="receipt">
        <dt>Ordered</dt>
        <dd>{dateTimeText(order.createdAt)}</dd>
        {payment && <PaymentFacts payment={payment} />}
        <dt>{isRunning ? 'Spent so far' : 'Total spent'}</dt>
        <dd>
          <strong>{totalsText(order.spent) || 'nothing'}</strong>
        </dd>
      </dl>
      {payment && <PaymentEnd payment={payment} />}
      {order.state === 'AWAITING_PAYMENT' && payment && paysByCard && (
        <PayForm id={order.id} amountDue={payment.amountDue} />
      )}
      {order.state === 'RUNNING' && <p>You can leave this page: the order continues.</p>}
      {order.progress.waiting > 0 && <CancelButton id={order.id} />}
      {here && <ReturnButton id={order.id} lines={lines} here={here} />}
      {order.progress.succeeded > 0 && (
        <a className="button button-wide" href="#/portfolio">
          To your domains
        </a>
      )}
      <a className="button button-plain button-wide" href="#/cart">
        To the cart
      </a>
    </section>
  );
}

/** The amount to pay, or the amounts that were paid and returned. */
function PaymentFacts({ payment }: { readonly payment: Payment }) {
  const { state, amountDue, expiresAt, paid, refunded, refundDue } = payment;
  if (state === 'DUE') {
    return (
      <>
        <dt>To be paid</dt>
        <dd>{moneyText(amountDue)}</dd>
        {expiresAt && (
          <>
            <dt>Until</dt>
            <dd>{dateTimeText(expiresAt)}</dd>
          </>
        )}
      </>
    );
  }
  const sums = [
    ['Paid', paid],
    ['Returned', refunded],
    ['Still to be returned', refundDue],
  ] as const;
  return sums
    .filter(([, sum]) => !isZero(sum))
    .map(([title, sum]) => (
      <Fragment key={title}>
        <dt>{title}</dt>
        <dd>{moneyText(sum)}</dd>
      </Fragment>
    ));
}

/** The end of an order that bought nothing, because it was not paid. */
function PaymentEnd({ payment: { state, paid } }: { readonly payment: Payment }) {
  if (state !== 'EXPIRED' && state !== 'CANCELLED') return null;
  return <p>{isZero(paid) ? 'Nothing was charged.' : 'Your payment is returned.'}</p>;
}

/** Cancels the lines that were not sent; the stream of the order shows the effect. */
function CancelButton({ id }: { readonly id: string }) {
  const client = useClient();
  const [problem, setProblem] = useState('');
  const cancel = async () => setProblem(await sendChange(client, cancelDocument, { id }));
  return (
    <>
      <button
        type="button"
        className="button button-plain button-wide"
        onClick={() => void cancel()}
      >
        Cancel the waiting domains
      </button>
      {problem && <p className="problem">{problem}</p>}
    </>
  );
}

interface ReturnProps {
  readonly id: string;
  readonly lines: readonly OrderLine[];
  readonly here: PlacedOrder;
}

/** Returns failed and cancelled lines to the cart. Lines that may have been bought stay. */
function ReturnButton({ id, lines, here }: ReturnProps) {
  const names = lines
    .filter(({ state }) => state === 'FAILED' || state === 'CANCELLED')
    .flatMap(({ domainName }) => domainName ?? [])
    .filter((name) => !here.returned.includes(name));
  if (names.length === 0) return null;
  const giveBack = () => {
    returnToCart(id, names);
    location.hash = '#/cart';
  };
  return (
    <button type="button" className="button button-wide" onClick={giveBack}>
      Put {names.length} back into the cart
    </button>
  );
}
