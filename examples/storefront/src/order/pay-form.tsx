import { useRef, useState } from 'react';
import { type Money, moneyText } from '../shared/money.ts';
import { SelectField } from '../shared/select-field.tsx';

/** A real shop has Stripe Elements in place of this choice: the card is typed into a frame of Stripe, which returns the id of a PaymentMethod. */
const cards = [
  ['pm_card_visa', 'Visa, succeeds'],
  ['pm_card_visa_chargeDeclined', 'Visa, declined'],
] as const;

const unconfirmed =
  'We have no confirmation of your payment yet. Pay again: an order is charged once.';

interface PayFormProps {
  readonly id: string;
  readonly amountDue: Money;
}

/** Pays an order. The server reads the amount in the gateway, and the page of the order shows that it is paid. */
export function PayForm({ id, amountDue }: PayFormProps) {
  const [card, setCard] = useState<string>(cards[0][0]);
  const [isPaying, setPaying] = useState(false);
  const [problem, setProblem] = useState('');
  /** As `isPaying`, also between the two clicks of a double click. */
  const isSent = useRef(false);
  const pay = async () => {
    if (isSent.current) return;
    isSent.current = true;
    setPaying(true);
    setProblem('');
    const { state, message = unconfirmed } = await sendPayment(id, card);
    if (state === 'PAID') return;
    isSent.current = false;
    setPaying(false);
    setProblem(message);
  };
  return (
    <form
      aria-label="Payment"
      onSubmit={(event) => {
        event.preventDefault();
        void pay();
      }}
    >
      <SelectField title="Test card" value={card} change={setCard} options={cards} />
      <div role="alert">{problem && <p className="problem">{problem}</p>}</div>
      <button type="submit" className="button button-wide" aria-disabled={isPaying}>
        {isPaying ? 'We are charging the card …' : `Pay ${moneyText(amountDue)}`}
      </button>
    </form>
  );
}

interface PaymentResult {
  readonly state?: 'PAID' | 'DECLINED' | 'PROCESSING' | 'NOT_DUE';
  /** Why the order is not paid. */
  readonly message?: string;
}

async function sendPayment(order: string, paymentMethod: string): Promise<PaymentResult> {
  try {
    const response = await fetch('/payments', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ order, paymentMethod }),
    });
    return await response.json();
  } catch {
    return {};
  }
}
