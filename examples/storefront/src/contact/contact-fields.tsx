import { type Refusal, sentencesOf } from '../graph/error-text.ts';
import { useStored } from '../shared/stored.ts';
import { type Fields, typedContact } from './fields.ts';

interface Field {
  readonly name: keyof Fields;
  readonly title: string;
  readonly autoComplete: string;
  readonly type?: 'text' | 'email' | 'tel';
  readonly isShort?: boolean;
}

const fields: readonly Field[] = [
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
export const ContactFields = ({ errors }: { readonly errors: readonly Refusal[] }) => (
  <fieldset className="holder">
    <legend className="unseen">Contact</legend>
    {fields.map((field) => (
      <ContactField
        key={field.name}
        field={field}
        errors={errors.filter(({ path }) => path?.at(-1) === field.name)}
      />
    ))}
  </fieldset>
);

function ContactField({
  field: { name, title, autoComplete, type = 'text', isShort },
  errors,
}: {
  readonly field: Field;
  readonly errors: readonly Refusal[];
}) {
  const value = useStored(typedContact)[name];
  return (
    <div className={isShort ? 'field field-short' : 'field'}>
      <label>
        <span>{title}</span>
        <input
          name={name}
          type={type}
          autoComplete={autoComplete}
          required
          {...(errors.length > 0 && {
            'aria-invalid': true,
            'aria-describedby': `${name}-problem`,
          })}
          value={value}
          onChange={(event) => {
            const { value: typed } = event.target;
            typedContact.set((before) => ({ ...before, [name]: typed }));
          }}
        />
      </label>
      {errors.length > 0 && (
        <small id={`${name}-problem`} className="problem" role="alert">
          {sentencesOf(errors).join(' ')}
        </small>
      )}
    </div>
  );
}
