import { useState } from 'react';
import { useClient } from 'urql';
import { moneyText, sumsOf } from '../shared/money.ts';
import { useStored } from '../shared/stored.ts';
import { cart, type Line } from './cart.ts';
import { CartLine } from './cart-line.tsx';
import { buy } from './purchase.ts';
import { RegistrantForm } from './registrant-form.tsx';

export function CartPage() {
  const lines = useStored(cart);
  if (lines.length === 0) {
    return (
      <section className="empty">
        <h1>Your cart is empty</h1>
        <p>
          <a className="button" href="#/">
            Find a name
          </a>
        </p>
      </section>
    );
  }
  return (
    <>
      <h1>Cart</h1>
      <div className="cart">
        <ul className="lines" aria-label="Domains in the cart">
          {lines.map((line) => (
            <CartLine key={line.key} line={line} />
          ))}
        </ul>
        {lines.some(({ stage }) => stage !== 'recorded') ? (
          <Checkout lines={lines} />
        ) : (
          <NothingToBuy />
        )}
      </div>
    </>
  );
}

const NothingToBuy = () => (
  <section className="checkout">
    <p>Nothing is left to buy.</p>
    <a className="button button-plain button-wide" href="#/portfolio">
      See the portfolio
    </a>
  </section>
);

const isReady = ({ stage, quote, problems }: Line) =>
  stage === 'open' && quote !== null && problems.length === 0;

function Checkout({ lines }: { readonly lines: readonly Line[] }) {
  const client = useClient();
  const [isBuying, setBuying] = useState(false);
  const open = lines.filter(({ stage }) => stage === 'open');
  const ready = open.filter(isReady);
  const totals = sumsOf(ready.flatMap(({ quote }) => quote ?? []));

  // A second click is harmless: its purchases have the same keys.
  const buyAll = async () => {
    setBuying(true);
    for (const { key } of ready) await buy(client, key);
    setBuying(false);
  };

  return (
    <form
      className="checkout"
      aria-label="Checkout"
      onSubmit={(event) => {
        event.preventDefault();
        void buyAll();
      }}
    >
      <RegistrantForm />
      {open.length > 0 && (
        <p className="total">
          <span>Total</span>
          <strong>{totals.map(moneyText).join(' + ') || 'nothing to buy yet'}</strong>
        </p>
      )}
      <button
        type="submit"
        className="button button-wide"
        aria-disabled={isBuying || ready.length === 0}
      >
        {isBuying ? 'Registering …' : labelOf(ready.length)}
      </button>
    </form>
  );
}

const labelOf = (count: number) =>
  count === 1 ? 'Register 1 domain' : `Register ${count} domains`;
