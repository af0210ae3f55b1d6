import { useRef } from 'react';
import { PlainButton } from '../shared/buttons.tsx';
import { Card } from '../shared/card.tsx';
import { focusSection } from '../shared/focus-main.ts';
import { unlockDocument } from './changes.ts';
import type { SectionProps } from './domain-page.tsx';
import { Outcome } from './outcome.tsx';
import { useChange } from './use-change.ts';

/** The lock. It can be removed only: the registrar has no call that sets it. */
export function TransferLock({ domain: { name, transferLocked }, reread }: SectionProps) {
  const change = useChange(unlockDocument, reread);
  const dialog = useRef<HTMLDialogElement>(null);
  const close = () => dialog.current?.close();
  const unlock = async (button: Element) => {
    close();
    if (await change.send({ input: { domain: name } })) focusSection(button);
  };
  return (
    <Card title="Transfer lock">
      {transferLocked === null && <p className="problem">The lock could not be read.</p>}
      {transferLocked === true && (
        <>
          <p>Locked. The domain cannot be transferred away.</p>
          <PlainButton onClick={() => dialog.current?.showModal()}>Unlock …</PlainButton>
        </>
      )}
      {transferLocked === false && (
        <p>
          <strong>Unlocked.</strong> Anyone with the auth code can transfer the domain away. The
          registrar cannot lock it again.
        </p>
      )}
      <dialog ref={dialog} aria-labelledby="unlock-title">
        <h2 id="unlock-title">Unlock {name}?</h2>
        <p>The registrar cannot lock it again. Anyone with the auth code can then transfer it.</p>
        <div className="actions">
          <PlainButton onClick={close}>Leave it locked</PlainButton>
          <button
            type="button"
            className="button"
            onClick={(event) => void unlock(event.currentTarget)}
          >
            Unlock for good
          </button>
        </div>
      </dialog>
      <Outcome change={change} done="The lock is removed." />
    </Card>
  );
}
