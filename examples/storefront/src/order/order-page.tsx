import { useState } from 'react';
import { useClient } from 'urql';
import { cart, type PlacedOrder, returnToCart } from '../cart/cart.ts';
import { sendChange } from '../graph/send-change.ts';
import { dateTimeText } from '../shared/date-time.ts';
import { Empty } from '../shared/empty.tsx';
import { totalsText } from '../shared/money.ts';
import { useStored } from '../shared/stored.ts';
import { cancelDocument, type Order, type OrderLine } from './documents.ts';
import { OrderLineItem } from './order-line.tsx';
import { isUnderWay, useOrder } from './use-order.ts';

const titles: Readonly<Record<Order['state'], string>> = {
  AWAITING_APPROVAL: 'Your order waits for an approval',
  AWAITING_PAYMENT: 'Your order waits for its payment',
  RUNNING: 'We are registering your domains',
  SUCCEEDED: 'Your domains are registered',
  PARTIAL: 'Not all of your domains are registered',
  FAILED: 'None of your domains is registered',
  STOPPED: 'The rest of this order is cancelled',
};

/** The progress of an order, and its receipt from then on. */
export function OrderPage({ id }: { readonly id: string }) {
  const { order, lines, isMissing, isLost } = useOrder(id);
  const here = useStored(cart).orders.find((one) => one.id === id);
  if (isMissing)
    return <Empty title="There is no such order" href="#/cart" link="Go to the cart" />;
  return (
    <>
      <h1>{order ? titles[order.state] : 'Your order'}</h1>
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
        <strong>{progress.succeeded}</strong> of {total} registered
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
  const isRunning = isUnderWay(order);
  return (
    <section className="checkout" aria-label="Receipt">
      <dl className="receipt">
        <dt>Ordered</dt>
        <dd>{dateTimeText(order.createdAt)}</dd>
        <dt>{isRunning ? 'Spent so far' : 'Total spent'}</dt>
        <dd>
          <strong>{totalsText(order.spent) || 'nothing'}</strong>
        </dd>
      </dl>
      {isRunning && <p>You can leave this page: the order continues.</p>}
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
