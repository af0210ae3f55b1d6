import { Card } from '../shared/card.tsx';
import type { Contact, Domain } from './documents.ts';

const roles = [
  ['registrant', 'Registrant'],
  ['administrative', 'Administrative'],
  ['technical', 'Technical'],
  ['billing', 'Billing'],
] as const;

interface Entry {
  readonly title: string;
  readonly lines: readonly string[];
}

/** The contacts; roles with the same contact are one entry. */
export function Contacts({ domain: { contacts } }: { readonly domain: Domain }) {
  const entries: Entry[] = [];
  for (const [role, title] of roles) {
    const lines = linesOf(contacts?.[role] ?? null);
    const same = entries.findIndex((entry) => entry.lines.join('\n') === lines.join('\n'));
    const entry = entries[same];
    if (lines.length === 0) continue;
    if (entry) entries[same] = { title: `${entry.title}, ${title.toLowerCase()}`, lines };
    else entries.push({ title, lines });
  }
  return (
    <Card title="Contacts">
      {entries.length === 0 && <p className="hint">The contacts could not be read.</p>}
      <dl className="contacts">
        {entries.map(({ title, lines }) => (
          <div key={title}>
            <dt>{title}</dt>
            {lines.map((line) => (
              <dd key={line}>{line}</dd>
            ))}
          </div>
        ))}
      </dl>
    </Card>
  );
}

/** The contact as lines of text, without empty ones. */
function linesOf(contact: Contact | null): readonly string[] {
  if (!contact) return [];
  const { firstName, lastName, company, email, phone, address } = contact;
  const lines = [
    joined(firstName, lastName),
    company,
    joined(address?.line1, address?.line2, address?.line3),
    joined(address?.zipCode, address?.city, address?.state, address?.country),
    email,
    phone?.e164 ?? phone?.number,
  ];
  return [...new Set(lines.flatMap((line) => line || []))];
}

const joined = (...parts: readonly (string | null | undefined)[]): string =>
  parts.filter(Boolean).join(' ');
