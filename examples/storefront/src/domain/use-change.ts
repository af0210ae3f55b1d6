import { useRef, useState } from 'react';
import { type AnyVariables, type CombinedError, type TypedDocumentNode, useClient } from 'urql';
import { errorText, isRefusal } from '../graph/error-text.ts';
import type { ChangeError } from './changes.ts';

/** `unconfirmed`: the registrar may have made the change. `reread`: the page was read after that. */
export type Stage = 'idle' | 'sending' | 'done' | 'refused' | 'unconfirmed' | 'reread';

interface Payload {
  readonly errors: readonly ChangeError[];
}

export interface Change<Variables, Result extends Payload> {
  readonly stage: Stage;
  /** Why the change was refused. */
  readonly errors: readonly ChangeError[];
  /** The payload of the last change that was made. */
  readonly result: Result | null;
  /** Resolves to whether the change was made. */
  send(variables: Variables): Promise<boolean>;
  /** Reads the domain after a change that is not confirmed. */
  readAgain(): Promise<void>;
  /** Removes the outcome from the page. */
  reset(): void;
}

interface Outcome<Result> {
  readonly stage: Stage;
  readonly errors: readonly ChangeError[];
  readonly result: Result | null;
}

const idle = { stage: 'idle', errors: [], result: null } as const;

/** Sends one kind of change, and reads the domain after it was made. A second one waits for the outcome of the first. */
export function useChange<Variables extends AnyVariables, Result extends Payload>(
  document: TypedDocumentNode<{ readonly payload: Result }, Variables>,
  reread: () => Promise<boolean>,
): Change<Variables, Result> {
  const client = useClient();
  const [outcome, setOutcome] = useState<Outcome<Result>>(idle);
  // Two clicks may come before the next rendering.
  const isSending = useRef(false);
  return {
    ...outcome,
    async send(variables) {
      if (isSending.current) return false;
      isSending.current = true;
      setOutcome({ ...idle, stage: 'sending' });
      const { data, error } = await client.mutation(document, variables).toPromise();
      const found = outcomeOf(data?.payload, error);
      if (found.stage === 'done') await reread();
      isSending.current = false;
      setOutcome(found);
      return found.stage === 'done';
    },
    async readAgain() {
      if (await reread()) setOutcome({ ...idle, stage: 'reread' });
    },
    reset: () => setOutcome(idle),
  };
}

function outcomeOf<Result extends Payload>(
  payload: Result | undefined,
  error: CombinedError | undefined,
): Outcome<Result> {
  if (payload) {
    const { errors } = payload;
    if (errors.length === 0) return { stage: 'done', errors: [], result: payload };
    const isUnknown = errors.some(({ executed }) => executed !== 'NO');
    return { ...idle, stage: isUnknown ? 'unconfirmed' : 'refused', errors };
  }
  // Without a response from the gateway nothing is known.
  if (!error || !isRefusal(error)) return { ...idle, stage: 'unconfirmed' };
  const message = errorText(error);
  return { ...idle, stage: 'refused', errors: [{ message, path: null, executed: 'NO' }] };
}
