import { type ComponentProps, useId } from 'react';

interface FieldProps {
  readonly title: string;
  readonly value: string;
  readonly change: (typed: string) => void;
  /** The sentence for a value that is refused. */
  readonly error?: string | null;
  readonly placeholder?: string;
  /** Whether two of them share a line. */
  readonly isShort?: boolean;
  /** Of the input; by default those of a technical value. */
  readonly attributes?: ComponentProps<'input'>;
}

const technical = { autoComplete: 'off', autoCapitalize: 'none', spellCheck: false } as const;

/** A text field with its error below it. */
export function Field(props: FieldProps) {
  const { title, value, change, error = null, placeholder } = props;
  const { isShort = false, attributes = technical } = props;
  const id = useId();
  return (
    <div className={isShort ? 'field field-short' : 'field'}>
      <label>
        <span>{title}</span>
        <input
          value={value}
          placeholder={placeholder}
          {...attributes}
          {...(error !== null && { 'aria-invalid': true, 'aria-describedby': id })}
          onChange={(event) => change(event.target.value)}
        />
      </label>
      {error !== null && (
        <small id={id} className="problem" role="alert">
          {error}
        </small>
      )}
    </div>
  );
}
