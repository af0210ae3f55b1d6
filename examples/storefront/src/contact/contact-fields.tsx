import { type Refusal, sentencesOf } from '../graph/error-text.ts';
import { Field } from '../shared/field.tsx';
import { useStored } from '../shared/stored.ts';
import { type Fields, typedContact } from './fields.ts';

interface ContactField {
  readonly name: keyof Fields;
  readonly title: string;
  readonly autoComplete: string;
  readonly type?: 'email' | 'tel';
  readonly isShort?: boolean;
}

const fields: readonly ContactField[] = [
  { name: 'firstName', title: 'First name', autoComplete: 'given-name', isShort: true },
  { name: 'lastName', title: 'Last name', autoComplete: 'family-name', isShort: true },
  { name: 'email', title: 'E-mail', autoComplete: 'email', type: 'email' },
  { name: 'phone', title: 'Phone', autoComplete: 'tel', type: 'tel' },
  { name: 'line1', title: 'Street and number', autoComplete: 'address-line1' },
  { name: 'zipCode', title: 'Postal code', autoComplete: 'postal-code', isShort: true },
  { name: 'city', title: 'City', autoComplete: 'address-level2', isShort: true },
  { name: 'country', title: 'Country code', autoComplete: 'country', isShort: true },
];

/** `errors`: those about a field are shown at that field. */
export function ContactFields({ errors }: { readonly errors: readonly Refusal[] }) {
  const typed = useStored(typedContact);
  return (
    <fieldset className="holder">
      <legend className="unseen">Contact</legend>
      {fields.map(({ title, isShort = false, ...attributes }) => {
        const { name } = attributes;
        const own = errors.filter(({ path }) => path?.at(-1) === name);
        return (
          <Field
            key={name}
            title={title}
            value={typed[name]}
            error={sentencesOf(own).join(' ') || null}
            isShort={isShort}
            attributes={{ type: 'text', ...attributes, required: true }}
            change={(value) => typedContact.set((before) => ({ ...before, [name]: value }))}
          />
        );
      })}
    </fieldset>
  );
}
