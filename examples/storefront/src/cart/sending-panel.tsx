import type { Sending } from './use-sending.ts';

const lost = 'We have no confirmation of your order yet. Send it again: it cannot be bought twice.';

/** Takes the place of the checkout while an order has no response. */
export const SendingPanel = ({
  sending: { isSending, problem, sendAgain },
}: {
  readonly sending: Sending;
}) => (
  <section className="checkout" aria-label="Your order" aria-live="polite">
    <p>{isSending ? 'We are placing your order …' : lost}</p>
    {!isSending && problem && <p className="problem">{problem}</p>}
    {!isSending && (
      <button type="button" className="button button-wide" onClick={sendAgain}>
        Send again
      </button>
    )}
  </section>
);
