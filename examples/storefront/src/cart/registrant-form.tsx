import type { Refusal } from '../graph/error-text.ts';
import { useStored } from '../shared/stored.ts';
import { isOfRegistrant, type Registrant, registrant } from './registrant.ts';

interface Field {
  readonly name: keyof Registrant;
  readonly title: string;
  readonly autoComplete: string;
  readonly type?: 'text' | 'email' | 'tel';
  readonly isShort?: boolean;
  /** For a value that is refused. */
  readonly advice?: string;
}

const fields: readonly Field[] = [
  { name: 'firstName', title: 'First name', autoComplete: 'given-name', isShort: true },
  { name: 'lastName', title: 'Last name', autoComplete: 'family-name', isShort: true },
  {
    ...{ name: 'email', title: 'E-mail', autoComplete: 'email', type: 'email' },
    advice: 'Please enter a whole e-mail address.',
  },
  {
    ...{ name: 'phone', title: 'Phone', autoComplete: 'tel', type: 'tel' },
    advice: 'Please enter the number with its country code, such as +49 30 123456.',
  },
  { name: 'line1', title: 'Street and number', autoComplete: 'address-line1' },
  { name: 'zipCode', title: 'Postal code', autoComplete: 'postal-code', isShort: true },
  { name: 'city', title: 'City', autoComplete: 'address-level2', isShort: true },
  {
    ...{ name: 'country', title: 'Country code', autoComplete: 'country', isShort: true },
    advice: 'Please enter the two letters of a country, such as DE.',
  },
];

/** `errors`: those of the order; each about a field is shown at that field. */
export function RegistrantForm({ errors }: { readonly errors: readonly Refusal[] }) {
  const refused = errors.filter(isOfRegistrant).map(({ path }) => path?.at(-1));
  return (
    <fieldset className="holder">
      <legend>Who will hold them</legend>
      {fields.map((field) => (
        <ContactField key={field.name} field={field} isRefused={refused.includes(field.name)} />
      ))}
    </fieldset>
  );
}

function ContactField({
  field: { name, title, autoComplete, type = 'text', isShort, advice = 'Please check this.' },
  isRefused,
}: {
  readonly field: Field;
  readonly isRefused: boolean;
}) {
  const value = useStored(registrant)[name];
  return (
    <label className={isShort ? 'field field-short' : 'field'}>
      <span>{title}</span>
      <input
        name={name}
        type={type}
        autoComplete={autoComplete}
        required
        {...(name === 'country' && { pattern: '[A-Za-z]{2}', title: 'Two letters, such as DE' })}
        {...(isRefused && { 'aria-invalid': true, 'aria-describedby': `${name}-advice` })}
        value={value}
        onChange={(event) => {
          const { value: typed } = event.target;
          registrant.set((before) => ({ ...before, [name]: typed }));
        }}
      />
      {isRefused && (
        <small id={`${name}-advice`} className="problem" role="alert">
          {advice}
        </small>
      )}
    </label>
  );
}
