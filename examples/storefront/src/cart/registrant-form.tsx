import { useStored } from '../shared/stored.ts';
import { forgetRefusals } from './cart.ts';
import { type Registrant, registrant } from './registrant.ts';

interface Field {
  readonly name: keyof Registrant;
  readonly title: string;
  readonly autoComplete: string;
  readonly type?: 'email' | 'tel';
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

export function RegistrantForm() {
  const values = useStored(registrant);
  return (
    <fieldset className="holder">
      <legend>Who will hold them</legend>
      {fields.map(({ name, title, autoComplete, type = 'text', isShort }) => (
        <label key={name} className={isShort ? 'field field-short' : 'field'}>
          <span>{title}</span>
          <input
            name={name}
            type={type}
            autoComplete={autoComplete}
            required
            {...(name === 'country' && {
              pattern: '[A-Za-z]{2}',
              title: 'Two letters, such as DE',
            })}
            value={values[name]}
            onChange={(event) => {
              const { value } = event.target;
              registrant.set((before) => ({ ...before, [name]: value }));
              forgetRefusals();
            }}
          />
        </label>
      ))}
    </fieldset>
  );
}
