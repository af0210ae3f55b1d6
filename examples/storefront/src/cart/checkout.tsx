import { type Choice, ContactChoice } from '../contact/contact-choice.tsx';
import { type Refusal, sentencesOf } from '../graph/error-text.ts';
import { paymentTerms } from '../order/payment-terms.ts';
import { LinkButton } from '../shared/buttons.tsx';
import { totalsText } from '../shared/money.ts';
import { Sentences } from '../shared/sentences.tsx';
import type { Line } from './cart.ts';
import { inputOf, readyLines } from './check.ts';
import type { CartCheck } from './use-check.ts';
import type { Sending } from './use-sending.ts';

interface CheckoutProps {
  readonly lines: readonly Line[];
  readonly cartCheck: CartCheck;
  readonly choice: Choice;
  readonly start: Sending['start'];
}

/** One button buys every line that can be bought, for at most the total that it shows. */
export function Checkout({ lines, cartCheck, choice, start }: CheckoutProps) {
  const { check, isCurrent, checkAgain } = cartCheck;
  const { defaults } = choice;
  const ready = readyLines(lines, check);
  const canBuy = isCurrent && ready.length > 0 && check.errors.length === 0;

  const buy = () =>
    defaults &&
    start({
      lines: ready,
      input: {
        ...inputOf(ready, defaults),
        maxTotal: check.totals.flatMap(({ price }) => price ?? []),
        idempotencyKey: crypto.randomUUID(),
        onFailure: 'CONTINUE',
        ...paymentTerms,
      },
    });

  return (
    <form
      className="checkout"
      aria-label="Checkout"
      onSubmit={(event) => {
        event.preventDefault();
        if (canBuy) buy();
      }}
    >
      <ContactChoice choice={choice} errors={isCurrent ? check.errors.filter(isOfContact) : []} />
      <p className="total" aria-busy={!isCurrent}>
        <span>Total</span>
        <strong>{totalsText(check.totals) || 'nothing to buy yet'}</strong>
      </p>
      {isCurrent && <Problems check={check} checkAgain={checkAgain} />}
      <button type="submit" className="button button-wide" aria-disabled={!canBuy}>
        {ready.length === 1 ? 'Register 1 domain' : `Register ${ready.length} domains`}
      </button>
    </form>
  );
}

const isOfContact = ({ path }: Refusal) => path?.includes('registrant') === true;

/** Shown at a field of the contact; an error of a stored contact has none. */
const isOfField = (error: Refusal) => isOfContact(error) && error.path?.at(-1) !== 'profile';

const isOfLine = ({ path }: Refusal) => path?.[1] === 'lines' && path[2] !== undefined;

/** The errors that prevent the purchase, without those that a line or a field shows. */
function Problems({ check, checkAgain }: Pick<CartCheck, 'check' | 'checkAgain'>) {
  const ofOrder = check.errors.filter((error) => !isOfLine(error) && !isOfField(error));
  const sentences = [...sentencesOf(ofOrder), ...(check.problem ? [check.problem] : [])];
  const canRetry = sentences.length > 0 || check.errors.some(isOfLine);
  if (!canRetry) return null;
  return (
    <div className="problems" role="alert">
      <Sentences of={sentences} />
      <LinkButton onClick={checkAgain}>Check again</LinkButton>
    </div>
  );
}
