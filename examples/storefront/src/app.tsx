import { useEffect, useRef } from 'react';
import { cart } from './cart/cart.ts';
import { destinationOf, tabs } from './destination.tsx';
import { Footer } from './footer.tsx';
import { AccountMenu } from './session/account-menu.tsx';
import { useRoute } from './shared/route.ts';
import { useStored } from './shared/stored.ts';

export function App() {
  const { path } = useRoute();
  const { title, page, tab, isTab } = destinationOf(path);
  const shown = isTab ? tab : path;
  const main = useRef<HTMLElement>(null);
  const shownBefore = useRef(shown);

  useEffect(() => {
    document.title = `${title} · Maple Harbor`;
    // After a link a screen reader starts at the new page; the first page has its own focus.
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
          {Object.entries(tabs).map(([to, { title: name }]) => (
            <a
              key={to}
              href={`#${to}`}
              aria-current={to === tab ? (isTab ? 'page' : true) : undefined}
            >
              {name}
              {to === '/cart' && <CartCount />}
            </a>
          ))}
        </nav>
        <AccountMenu />
      </header>
      <main ref={main} tabIndex={-1}>
        {page}
      </main>
      <Footer />
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
