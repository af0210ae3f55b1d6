import { useEffect } from 'react';
import { useClient } from 'urql';
import { Field } from '../shared/field.tsx';
import { findTransfer } from './send-transfer.ts';
import type { SentTransfer } from './sent-transfer.ts';
import { openTransfer, type TransferForm } from './use-transfer.ts';

const lookUpEveryMs = 1_000;

interface SentPanelProps {
  readonly sent: SentTransfer;
  readonly form: TransferForm;
}

/** Takes the place of the form while a transfer has no response. After a reload the auth code has to be entered again. */
export function SentPanel({ sent, form }: SentPanelProps) {
  const { draft, change, isBusy, sendAgain } = form;
  useLookUp(sent.key, isBusy);
  return (
    <form
      className="card fields"
      aria-label="Your transfer"
      onSubmit={(event) => {
        event.preventDefault();
        if (!isBusy) void sendAgain(sent);
      }}
    >
      <p aria-live="polite">
        {isBusy
          ? `We are sending the transfer of ${sent.domain} …`
          : `We have no confirmation of the transfer of ${sent.domain} yet. Send it again: it cannot be bought twice.`}
      </p>
      {!isBusy && (
        <>
          <Field
            title="Auth code"
            value={draft.authCode}
            change={(authCode) => change({ authCode })}
          />
          <button type="submit" className="button button-wide">
            Send again
          </button>
        </>
      )}
    </form>
  );
}

/** Looks the transfer up every second while its response is missing. */
function useLookUp(key: string, isBusy: boolean): void {
  const client = useClient();
  useEffect(() => {
    if (isBusy) return;
    let timer: ReturnType<typeof setTimeout>;
    let isOver = false;
    const lookUp = async () => {
      const outcome = await findTransfer(client, key);
      if (isOver) return;
      if (outcome.kind === 'placed') openTransfer(key, outcome.address);
      else timer = setTimeout(lookUp, lookUpEveryMs);
    };
    void lookUp();
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [client, key, isBusy]);
}
