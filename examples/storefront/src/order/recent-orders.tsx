import { useQuery } from 'urql';
import { cart } from '../cart/cart.ts';
import { graphql, type ResultOf } from '../graph/graphql.ts';
import { dateTimeText } from '../shared/date-time.ts';

const recentDocument = graphql(`
  query RecentOrders {
    orders(first: 5) {
      nodes {
        id
        state
        createdAt
        lines(first: 1) { domainName }
        progress { waiting sending pending inProgress succeeded failed unknown cancelled }
      }
    }
  }
`);

type RecentOrder = NonNullable<ResultOf<typeof recentDocument>['orders']>['nodes'][number];

/** The last orders of the account, from any of its browsers. */
export function RecentOrders() {
  const [{ data }] = useQuery({ query: recentDocument });
  const orders = data?.orders?.nodes ?? [];
  if (orders.length === 0) return null;
  return (
    <section>
      <h2 id="recent-orders">Your last orders</h2>
      <ul className="recent" aria-labelledby="recent-orders">
        {orders.map((order) => (
          <li key={order.id}>
            <a href={`#/orders/${order.id}`}>{titleOf(order)}</a> {dateTimeText(order.createdAt)}
            {order.state === 'AWAITING_PAYMENT' && ' · not paid yet'}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** An order of this browser has the name in its own script. */
function titleOf({ id, lines: [first], progress }: RecentOrder): string {
  const here = cart.get().orders.find((one) => one.id === id)?.lines[0];
  const others = Object.values(progress).reduce((sum, count) => sum + count, 0) - 1;
  return `${here?.unicodeName ?? first?.domainName ?? 'Order'}${others > 0 ? ` and ${others} more` : ''}`;
}
