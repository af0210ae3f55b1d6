import { useId } from 'react';
import { LinkButton } from '../shared/buttons.tsx';
import { focusSection } from '../shared/focus-main.ts';

interface HostFieldProps {
  readonly label: string;
  readonly value: string;
  readonly error: string | null;
  /** Whether the field takes the focus. */
  readonly isNew: boolean;
  readonly change: (typed: string) => void;
  readonly remove: () => void;
}

/** One name server in the editor. */
export function HostField({ label, value, error, isNew, change, remove }: HostFieldProps) {
  const id = useId();
  return (
    <li>
      <div className="host">
        <input
          aria-label={label}
          value={value}
          placeholder="ns1.example.net"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          // biome-ignore lint/a11y/noAutofocus: the user has just added this line
          autoFocus={isNew}
          {...(error !== null && { 'aria-invalid': true, 'aria-describedby': id })}
          onChange={(event) => change(event.target.value)}
        />
        <LinkButton
          onClick={(event) => {
            focusSection(event.currentTarget);
            remove();
          }}
        >
          Remove<span className="unseen"> {value || label}</span>
        </LinkButton>
      </div>
      {error !== null && (
        <small id={id} className="problem" role="alert">
          {error}
        </small>
      )}
    </li>
  );
}
