import { contactLines } from '../contact/contact-lines.ts';
import { Card } from '../shared/card.tsx';
import type { Domain } from './documents.ts';

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
    const contact = contacts?.[role];
    const phone = contact?.phone?.e164 ?? contact?.phone?.number;
    const lines = contact ? contactLines({ ...contact, phone }) : [];
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
