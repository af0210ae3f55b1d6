import { useContactChoice } from '../contact/contact-choice.tsx';
import { RecentOrders } from '../order/recent-orders.tsx';
import { account } from '../session/session.ts';
import { SignIn } from '../session/sign-in-page.tsx';
import { Empty } from '../shared/empty.tsx';
import { useStored } from '../shared/stored.ts';
import { cart } from './cart.ts';
import { CartLine, SentLine } from './cart-line.tsx';
import { lineText } from './check.ts';
import { Checkout } from './checkout.tsx';
import { SendingPanel } from './sending-panel.tsx';
import { useCheck } from './use-check.ts';
import { useSending } from './use-sending.ts';

export function CartPage() {
  const { lines, sent } = useStored(cart);
  const choice = useContactChoice();
  const cartCheck = useCheck(choice.defaults);
  const sending = useSending(cartCheck.refuse);
  return (
    <>
      {lines.length === 0 && sent === null ? (
        <Empty title="Your cart is empty" href="#/" link="Find a name" />
      ) : (
        <>
          <h1>Cart</h1>
          <div className="cart">
            <ul className="lines" aria-label="Domains in the cart">
              {sent?.lines.map((line) => (
                <SentLine key={line.name} line={line} />
              ))}
              {lines.map((line) => (
                <CartLine
                  key={line.name}
                  line={line}
                  found={cartCheck.check.lines.get(lineText(line))}
                />
              ))}
            </ul>
            {account === null && <SignInToBuy />}
            {account && sent && <SendingPanel sending={sending} />}
            {account && !sent && (
              <Checkout lines={lines} cartCheck={cartCheck} choice={choice} start={sending.start} />
            )}
          </div>
        </>
      )}
      {account && <RecentOrders />}
    </>
  );
}

const SignInToBuy = () => (
  <section className="checkout" aria-label="Sign in">
    <h2>Sign in to buy</h2>
    <p className="hint">Your cart stays as it is. This is a demo: choose an account.</p>
    <SignIn hash="#/cart" />
  </section>
);
