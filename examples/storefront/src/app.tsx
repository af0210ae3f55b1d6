import { type ComponentType, useEffect, useRef } from 'react';
import { cart } from './cart/cart.ts';
import { CartPage } from './cart/cart-page.tsx';
import { OrderPage } from './order/order-page.tsx';
import { PortfolioPage } from './portfolio/portfolio-page.tsx';
import { SearchPage } from './search/search-page.tsx';
import { useRoute } from './shared/route.ts';
import { useStored } from './shared/stored.ts';

const pages: Readonly<Record<string, { readonly name: string; readonly Page: ComponentType }>> = {
  '/': { name: 'Search', Page: SearchPage },
  '/cart': { name: 'Cart', Page: CartPage },
  '/portfolio': { name: 'Portfolio', Page: PortfolioPage },
};

const orderPath = '/orders/';

export function App() {
  const { path } = useRoute();
  const orderId = path.startsWith(orderPath) ? path.slice(orderPath.length) : null;
  const shown = orderId !== null || path in pages ? path : '/';
  const page = orderId === null ? pages[shown] : undefined;
  const title = page?.name ?? 'Order';
  const main = useRef<HTMLElement>(null);
  const shownBefore = useRef(shown);

  useEffect(() => {
    document.title = `${title} · Maple Harbor`;
    // Whoever follows a link hears and goes on from the new page; the first page keeps its own focus.
    if (shownBefore.current !== shown) main.current?.focus();
    shownBefore.current = shown;
  }, [shown, title]);

  return (
    <>
      <header className="top">
        <a className="brand" href="#/">
          <Mark />
          Maple Harbor
        </a>
        <nav aria-label="Pages">
          {Object.entries(pages).map(([to, { name }]) => (
            <a key={to} href={`#${to}`} aria-current={to === shown ? 'page' : undefined}>
              {name}
              {to === '/cart' && <CartCount />}
            </a>
          ))}
        </nav>
      </header>
      <main ref={main} tabIndex={-1}>
        {page && <page.Page />}
        {orderId !== null && <OrderPage key={orderId} id={orderId} />}
      </main>
      <footer>A sandbox: nothing here costs money, and no name is really bought.</footer>
    </>
  );
}

function CartCount() {
  const { lines, sent } = useStored(cart);
  const open = lines.length + (sent?.lines.length ?? 0);
  if (open === 0) return null;
  return (
    <span className="count">
      {open}
      <span className="unseen"> {open === 1 ? 'domain' : 'domains'}</span>
    </span>
  );
}

const Mark = () => (
  <svg viewBox="0 0 32 32" width="28" height="28" aria-hidden="true">
    <rect width="32" height="32" rx="9" fill="var(--accent)" />
    <path d="M8 21V11l8 7 8-7v10" className="mark" />
  </svg>
);
