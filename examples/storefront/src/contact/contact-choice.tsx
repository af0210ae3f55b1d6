import { useMemo, useState } from 'react';
import type { OrderDefaults } from '../cart/documents.ts';
import type { Refusal } from '../graph/error-text.ts';
import { customers } from '../reseller/customers.ts';
import { isStaff } from '../session/session.ts';
import { SelectField } from '../shared/select-field.tsx';
import { useStored } from '../shared/stored.ts';
import { contactOf, typedContact } from './fields.ts';
import { SaveContact } from './save-contact.tsx';
import { useContacts } from './use-contacts.ts';

/** What the contact of an order is chosen from. */
export interface Choice {
  /** As the input of an order has it; null until the stored contacts are read. */
  readonly defaults: OrderDefaults | null;
  readonly contacts: ReturnType<typeof useContacts>;
  /** The id of the stored contact; empty for the typed one. */
  readonly id: string;
  choose(id: string): void;
  /** The id of the customer that the staff buys for; empty for the reseller itself. */
  readonly customer: string;
  buyFor(customer: string): void;
}

/** The stored contact of purchases in one click, or the first one, is chosen at first. */
export function useContactChoice(): Choice {
  const [customer, setCustomer] = useState('');
  const contacts = useContacts(customer);
  const typed = useStored(typedContact);
  const [chosen, choose] = useState<string | null>(null);
  const id = chosen ?? (contacts.standard ?? contacts.stored[0])?.id ?? '';
  const defaults = useMemo((): OrderDefaults => {
    const registrant = id ? { profile: id } : { fields: contactOf(typed) };
    return { registrant, ...(customer && { customer }) };
  }, [id, typed, customer]);
  const buyFor = (other: string) => {
    setCustomer(other);
    choose(null);
  };
  return { defaults: contacts.isRead ? defaults : null, contacts, id, choose, customer, buyFor };
}

interface ContactChoiceProps {
  readonly choice: Choice;
  /** Errors of the order; each about a field is shown at that field. */
  readonly errors: readonly Refusal[];
}

export function ContactChoice({ choice, errors }: ContactChoiceProps) {
  const { contacts, id, choose, customer, buyFor } = choice;
  const saved = (newId: string) => {
    contacts.reread();
    choose(newId);
  };
  return (
    <>
      {isStaff && (
        <SelectField
          title="Buy for"
          value={customer}
          change={buyFor}
          options={[
            ['', 'the reseller'],
            ...customers.map(({ id: one, name }) => [one, name] as const),
          ]}
        />
      )}
      {contacts.stored.length > 0 && (
        <SelectField
          title="Who will hold them"
          value={id}
          change={choose}
          options={[
            ...contacts.stored.map((one) => [one.id, one.name] as const),
            ['', 'Another contact …'],
          ]}
        />
      )}
      {contacts.isRead && id === '' && <SaveContact errors={errors} saved={saved} />}
    </>
  );
}
