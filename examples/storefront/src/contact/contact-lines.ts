type Text = string | null | undefined;

type Fields<Names extends string> = Readonly<Partial<Record<Names, Text>>>;

interface Contact extends Fields<'firstName' | 'lastName' | 'company' | 'email' | 'phone'> {
  readonly address: Fields<
    'line1' | 'line2' | 'line3' | 'zipCode' | 'city' | 'state' | 'country'
  > | null;
}

/** A contact as lines of text, without empty ones. */
export function contactLines(contact: Contact): readonly string[] {
  const { firstName, lastName, company, email, phone, address } = contact;
  const lines = [
    joined(firstName, lastName),
    company,
    joined(address?.line1, address?.line2, address?.line3),
    joined(address?.zipCode, address?.city, address?.state, address?.country),
    email,
    phone,
  ];
  return [...new Set(lines.flatMap((line) => line || []))];
}

const joined = (...parts: readonly Text[]): string => parts.filter(Boolean).join(' ');
