import { useQuery } from 'urql';
import { errorText } from '../graph/error-text.ts';
import { account, isStaff } from '../session/session.ts';
import { contactsDocument, type StoredContact } from './documents.ts';

export interface Contacts {
  readonly isRead: boolean;
  readonly stored: readonly StoredContact[];
  /** The one of purchases that name none. */
  readonly standard: StoredContact | null;
  readonly problem: string | null;
  reread(): void;
}

/** The stored contacts of the account; none for a visitor. `ofCustomer`: for the staff those of a customer. */
export function useContacts(ofCustomer = ''): Contacts {
  const [{ data, error }, read] = useQuery({ query: contactsDocument, pause: account === null });
  const stored = (data?.contactProfiles?.nodes ?? []).filter(
    ({ customer }) => !isStaff || (customer ?? '') === ofCustomer,
  );
  const standardId = data?.purchaseDefaults?.profile?.id;
  return {
    isRead: data !== undefined || error !== undefined,
    stored,
    standard: stored.find(({ id }) => id === standardId) ?? null,
    problem: error ? errorText(error) : null,
    reread: () => read({ requestPolicy: 'network-only' }),
  };
}
