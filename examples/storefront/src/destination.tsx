import type { ReactNode } from 'react';
import { CartPage } from './cart/cart-page.tsx';
import { DomainPage } from './domain/domain-page.tsx';
import { OrderPage } from './order/order-page.tsx';
import { PortfolioPage } from './portfolio/portfolio-page.tsx';
import { SearchPage } from './search/search-page.tsx';
import { TransferProgressPage } from './transfer/progress-page.tsx';
import { TransferPage } from './transfer/transfer-page.tsx';

/** A page and its name. */
export interface Destination {
  readonly title: string;
  readonly page: ReactNode;
  /** The path of the link in the navigation to this page, or to the page above it. */
  readonly tab: string;
  /** Whether the link leads to this page. */
  readonly isTab: boolean;
}

export const tabs: Readonly<Record<string, { readonly title: string; readonly page: ReactNode }>> =
  {
    '/': { title: 'Search', page: <SearchPage /> },
    '/cart': { title: 'Cart', page: <CartPage /> },
    '/portfolio': { title: 'Portfolio', page: <PortfolioPage /> },
    '/transfer': { title: 'Transfer', page: <TransferPage /> },
  };

/** The pages whose path ends with a value. The key starts a page from the beginning when the value changes. */
const details: Readonly<Record<string, (value: string) => Omit<Destination, 'isTab'>>> = {
  '/domain/': (name) => ({
    title: name,
    tab: '/portfolio',
    page: <DomainPage key={name} name={name} />,
  }),
  '/orders/': (id) => ({ title: 'Order', tab: '/cart', page: <OrderPage key={id} id={id} /> }),
  '/transfers/': (key) => ({
    title: 'Transfer',
    tab: '/transfer',
    page: <TransferProgressPage key={key} transferKey={key} />,
  }),
};

/** The page at a path; the search for any other path. */
export function destinationOf(path: string): Destination {
  for (const [start, detail] of Object.entries(details)) {
    const value = path.startsWith(start) ? decoded(path.slice(start.length)) : '';
    if (value !== '') return { ...detail(value), isTab: false };
  }
  const tab = Object.hasOwn(tabs, path) ? path : '/';
  return { title: 'Search', page: null, ...tabs[tab], tab, isTab: true };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
