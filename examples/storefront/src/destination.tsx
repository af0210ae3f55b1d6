import type { ReactNode } from 'react';
import { CartPage } from './cart/cart-page.tsx';
import { ContactsPage } from './contact/contacts-page.tsx';
import { DomainPage } from './domain/domain-page.tsx';
import { OrderPage } from './order/order-page.tsx';
import { PortfolioPage } from './portfolio/portfolio-page.tsx';
import { ResellerPage } from './reseller/reseller-page.tsx';
import { SearchPage } from './search/search-page.tsx';
import { account, isStaff } from './session/session.ts';
import { SignInPage } from './session/sign-in-page.tsx';
import { TransferProgressPage } from './transfer/progress-page.tsx';
import { TransferPage } from './transfer/transfer-page.tsx';

/** A page and its name. */
interface Page {
  readonly title: string;
  readonly page: ReactNode;
}

export interface Destination extends Page {
  /** The path of the link in the navigation to this page, or to the page above it; empty without one. */
  readonly tab: string;
  /** Whether the link leads to this page. */
  readonly isTab: boolean;
}

/** The pages of the navigation. The gateway decides which data they show: a visitor has no right to read domains. */
export const tabs: Readonly<Record<string, Page>> = {
  '/': { title: 'Search', page: <SearchPage /> },
  '/cart': { title: 'Cart', page: <CartPage /> },
  ...(account && {
    '/portfolio': { title: isStaff ? 'Domains' : 'My domains', page: <PortfolioPage /> },
    '/transfer': { title: 'Transfer', page: <TransferPage /> },
  }),
  ...(isStaff && { '/reseller': { title: 'Reseller', page: <ResellerPage /> } }),
};

/** The pages whose path ends with a value. The key starts a page from the beginning when the value changes. */
const details: Readonly<Record<string, (value: string) => Page & { readonly tab: string }>> = {
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

const signInAt = (path: string): Destination => ({
  ...{ title: 'Sign in', tab: '', isTab: false },
  page: <SignInPage {...(path !== '/sign-in' && { hash: `#${path}` })} />,
});

const needsAccount = [
  ...['/portfolio', '/transfer', '/reseller', '/contacts'],
  ...Object.keys(details),
];

/** The page at a path; the search for an unknown path, and the sign-in for a page that this visitor may not see. */
export function destinationOf(path: string): Destination {
  const isPrivate = needsAccount.some((start) => path.startsWith(start));
  if (path === '/sign-in' || (isPrivate && !account)) return signInAt(path);
  for (const [start, detail] of Object.entries(details)) {
    const value = path.startsWith(start) ? decoded(path.slice(start.length)) : '';
    if (value !== '') return { ...detail(value), isTab: false };
  }
  if (path === '/reseller' && !isStaff) return signInAt(path);
  if (path === '/contacts') {
    return { title: 'Contacts', page: <ContactsPage />, tab: '', isTab: false };
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
