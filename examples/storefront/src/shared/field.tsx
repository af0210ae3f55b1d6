import { useId } from 'react';

interface FieldProps {
  readonly title: string;
  readonly value: string;
  readonly change: (typed: string) => void;
  /** The sentence for a value that is refused. */
  readonly error?: string | null;
  readonly placeholder?: string;
}

/** A text field for technical values, with its error below it. */
export function Field({ title, value, change, error = null, placeholder }: FieldProps) {
  const id = useId();
  return (
    <div className="field">
      <label>
        <span>{title}</span>
        <input
          value={value}
          placeholder={placeholder}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
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
