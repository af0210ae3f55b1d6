import { useState } from 'react';
import { useClient } from 'urql';
import { sendChange } from '../graph/send-change.ts';
import { Badge } from '../shared/badge.tsx';
import { LinkButton, PlainButton } from '../shared/buttons.tsx';
import { Card } from '../shared/card.tsx';
import { focusMain } from '../shared/focus-main.ts';
import { contactLines } from './contact-lines.ts';
import { deleteContactDocument, setDefaultDocument } from './documents.ts';
import { SaveContact } from './save-contact.tsx';
import { useContacts } from './use-contacts.ts';

/** The stored contacts: to use one for purchases in one click, to add one, and to delete one. */
export function ContactsPage() {
  const { stored, standard, isRead, problem: unread, reread } = useContacts();
  const client = useClient();
  const [problem, setProblem] = useState('');

  const finish = async (change: Promise<string>) => {
    setProblem(await change);
    focusMain();
    reread();
  };
  const remove = (id: string) => finish(sendChange(client, deleteContactDocument, { id }));
  const setStandard = (profile: string | null) =>
    finish(sendChange(client, setDefaultDocument, { profile }));
  return (
    <>
      <h1>Contacts</h1>
      {(problem || unread) && (
        <p className="notice notice-bad" role="alert">
          {problem || unread}
        </p>
      )}
      <div className="sections">
        <div>
          {isRead && stored.length === 0 && <p className="hint">No contact is stored yet.</p>}
          {stored.map((contact) => (
            <Card key={contact.id} title={contact.name}>
              {contact === standard && <Badge tone="good">For purchases in one click</Badge>}
              {(contact.contact ? contactLines(contact.contact) : []).map((line) => (
                <p key={line} className="contact-line">
                  {line}
                </p>
              ))}
              <div className="actions">
                <PlainButton
                  onClick={() => void setStandard(contact === standard ? null : contact.id)}
                >
                  {contact === standard ? 'End purchases in one click' : 'Use for one click'}
                  <span className="unseen"> with {contact.name}</span>
                </PlainButton>
                <LinkButton onClick={() => void remove(contact.id)}>
                  Delete<span className="unseen"> {contact.name}</span>
                </LinkButton>
              </div>
            </Card>
          ))}
        </div>
        <Card title="New contact">
          <SaveContact errors={[]} saved={reread} isOpen />
        </Card>
      </div>
    </>
  );
}
