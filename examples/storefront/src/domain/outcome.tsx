import { PlainButton } from '../shared/buttons.tsx';
import { focusSection } from '../shared/focus-main.ts';
import { Sentences } from '../shared/sentences.tsx';
import type { ChangeError } from './changes.ts';
import type { Stage } from './use-change.ts';

interface OutcomeProps {
  readonly change: {
    readonly stage: Stage;
    readonly errors: readonly ChangeError[];
    readAgain(): Promise<void>;
  };
  /** The sentence for a change that was made. */
  readonly done: string;
  /** Whether a field shows this error. */
  readonly isAtField?: (error: ChangeError) => boolean;
}

/** The outcome of a change, for the eye and for screen readers. */
export function Outcome({ change, done, isAtField = () => false }: OutcomeProps) {
  const { stage, errors, readAgain } = change;
  const shown = errors.filter((error) => !isAtField(error));
  return (
    <div className="outcome" role="status">
      {stage === 'sending' && <p>Sending …</p>}
      {stage === 'done' && <p className="success">{done}</p>}
      {stage === 'reread' && <p>Read again. The page shows the present values.</p>}
      {stage === 'refused' && <Sentences of={[...new Set(shown.map(({ message }) => message))]} />}
      {stage === 'unconfirmed' && (
        <div className="notice notice-unsure">
          <p>
            <strong>Not confirmed.</strong> The registrar may have made this change. Read the domain
            before you repeat it.
          </p>
          <PlainButton
            onClick={(event) => {
              focusSection(event.currentTarget);
              void readAgain();
            }}
          >
            Read again
          </PlainButton>
        </div>
      )}
    </div>
  );
}
