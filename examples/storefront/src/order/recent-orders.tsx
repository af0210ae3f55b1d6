import { cart, type PlacedOrder } from '../cart/cart.ts';
import { dateTimeText } from '../shared/date-time.ts';
import { useStored } from '../shared/stored.ts';

const shown = 5;

/** The last orders of this browser. */
export function RecentOrders() {
  const { orders } = useStored(cart);
  if (orders.length === 0) return null;
  return (
    <section>
      <h2 id="recent-orders">Your last orders</h2>
      <ul className="recent" aria-labelledby="recent-orders">
        {orders.slice(0, shown).map((order) => (
          <li key={order.id}>
            <a href={`#/orders/${order.id}`}>{titleOf(order)}</a> {dateTimeText(order.placedAt)}
          </li>
        ))}
      </ul>
    </section>
  );
}

const titleOf = ({ lines: [first, ...others] }: PlacedOrder): string =>
  `${first?.unicodeName}${others.length > 0 ? ` and ${others.length} more` : ''}`;
