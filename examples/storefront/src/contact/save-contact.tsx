import { useState } from 'react';
import { useClient } from 'urql';
import { errorText, type Refusal, sentencesOf } from '../graph/error-text.ts';
import { PlainButton } from '../shared/buttons.tsx';
import { Field } from '../shared/field.tsx';
import { Sentences } from '../shared/sentences.tsx';
import { ContactFields } from './contact-fields.tsx';
import { saveContactDocument, setDefaultDocument } from './documents.ts';
import { contactOf, typedContact } from './fields.ts';

interface SaveContactProps {
  readonly errors: readonly Refusal[];
  /** Called with the id of a contact that was saved. */
  readonly saved: (id: string) => void;
  readonly isOpen?: boolean;
}

/** The fields of a new contact, with a button that stores it for later purchases. */
export function SaveContact({ errors: ofPage, saved, isOpen = false }: SaveContactProps) {
  const client = useClient();
  const [name, setName] = useState('');
  const [isStandard, setStandard] = useState(true);
  const [errors, setErrors] = useState<readonly Refusal[]>([]);
  const [problem, setProblem] = useState<string | null>(null);
  const [isSending, setSending] = useState(false);

  const save = async () => {
    if (isSending) return;
    setSending(true);
    const input = { name, contact: contactOf(typedContact.get()) };
    const { data, error } = await client.mutation(saveContactDocument, { input }).toPromise();
    const payload = data?.saveContactProfile;
    setErrors(payload?.errors ?? []);
    setProblem(error ? errorText(error) : null);
    const id = payload?.profile?.id;
    if (id && isStandard) await client.mutation(setDefaultDocument, { profile: id }).toPromise();
    setSending(false);
    if (id) saved(id);
  };
  const ofName = errors.filter(({ path }) => path?.at(-1) === 'name');
  return (
    <>
      <ContactFields errors={errors.length > 0 ? errors : ofPage} />
      <details className="save-contact" open={isOpen}>
        <summary>Save this contact</summary>
        <div className="fields">
          <Field
            title="Name of the contact"
            value={name}
            placeholder="Office"
            error={sentencesOf(ofName).join(' ') || null}
            change={setName}
          />
          <label className="check">
            <input
              type="checkbox"
              checked={isStandard}
              onChange={(event) => setStandard(event.target.checked)}
            />
            Use it for purchases in one click
          </label>
          <PlainButton aria-disabled={isSending} onClick={() => void save()}>
            Save
          </PlainButton>
          <div role="alert">
            <Sentences of={problem ? [problem] : []} />
          </div>
        </div>
      </details>
    </>
  );
}
