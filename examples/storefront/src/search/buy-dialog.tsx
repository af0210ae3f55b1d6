import { useEffect, useRef, useState } from 'react';
import { addToCart, cart } from '../cart/cart.ts';
import { useSending } from '../cart/use-sending.ts';
import type { StoredContact } from '../contact/documents.ts';
import { type Refusal, sentencesOf } from '../graph/error-text.ts';
import { paymentTerms } from '../order/payment-terms.ts';
import { PlainButton } from '../shared/buttons.tsx';
import { moneyText } from '../shared/money.ts';
import { Sentences } from '../shared/sentences.tsx';
import { useStored } from '../shared/stored.ts';
import { yearsText } from '../shared/years.ts';
import type { Found } from './use-search.ts';

interface BuyDialogProps {
  readonly found: Found;
  /** The stored contact of the customer, which the gateway uses when a purchase names none. */
  readonly contact: StoredContact;
  readonly close: () => void;
}

/** One click buys the name for at most the price that is shown, with the stored contact. */
export function BuyDialog({ found, contact, close }: BuyDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const { sent } = useStored(cart);
  const [problems, setProblems] = useState<readonly string[]>([]);
  const sending = useSending(({ errors, lines, problem }) => {
    const ofLines = [...(lines?.values() ?? [])].flatMap((line): readonly Refusal[] => line.errors);
    setProblems([...sentencesOf([...(errors ?? []), ...ofLines]), ...(problem ? [problem] : [])]);
  });
  useEffect(() => dialog.current?.showModal(), []);

  const { name, unicodeName, quote } = found.availability;
  const price = quote.highest;
  const buy = () => {
    const line = addToCart(found);
    if (!price || sent !== null) return;
    setProblems([]);
    sending.start({
      lines: [line],
      input: {
        lines: [{ registration: { domain: name, period: quote.period } }],
        maxTotal: [price],
        idempotencyKey: crypto.randomUUID(),
        onFailure: 'CONTINUE',
        ...paymentTerms,
      },
    });
  };
  return (
    <dialog ref={dialog} aria-labelledby="buy-title" onClose={close}>
      <h2 id="buy-title">Buy {unicodeName}?</h2>
      <dl className="facts">
        <dt>Period</dt>
        <dd>{yearsText(quote.period)}</dd>
        <dt>Price</dt>
        <dd>{price && <strong>{moneyText(price)}</strong>}</dd>
        <dt>Contact</dt>
        <dd>{contact.name}</dd>
      </dl>
      <div role="alert">
        <Sentences of={problems} />
        {sent && !sending.isSending && <p>Another order has no response yet. See the cart.</p>}
      </div>
      <div className="actions">
        <button type="button" className="button" aria-disabled={sent !== null} onClick={buy}>
          {sent ? 'We are placing your order …' : price && `Buy for ${moneyText(price)}`}
        </button>
        <PlainButton onClick={() => dialog.current?.close()}>Close</PlainButton>
      </div>
    </dialog>
  );
}
