import type { Refusal } from '../graph/error-text.ts';
import { Field } from '../shared/field.tsx';
import { moneyText } from '../shared/money.ts';
import { SelectField } from '../shared/select-field.tsx';
import { Sentences } from '../shared/sentences.tsx';
import { yearsText } from '../shared/years.ts';
import { transferSentences } from './transfer-text.ts';
import type { TransferForm as Form } from './use-transfer.ts';

const periods = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];
const fields = ['domain', 'authCode', 'period'];

/** The price first; then a second button that transfers for that price. */
export function TransferForm({ form }: { readonly form: Form }) {
  const { draft, change, found, isBusy, check, transfer } = form;
  const errors = found?.errors ?? [];
  const sentences = transferSentences(errors.filter((error) => !isAtField(error)));
  const canTransfer = found?.price != null && errors.length === 0;
  return (
    <form
      className="card fields"
      aria-label="Transfer"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void (canTransfer ? transfer() : check());
      }}
    >
      <Field
        title="Domain"
        value={draft.domain}
        placeholder="example.com"
        error={errorAt(errors, 'domain')}
        change={(domain) => change({ domain })}
      />
      <Field
        title="Auth code"
        value={draft.authCode}
        error={errorAt(errors, 'authCode')}
        change={(authCode) => change({ authCode })}
      />
      <SelectField
        title="Period"
        value={`${draft.period}`}
        change={(period) => change({ period: Number(period) })}
        options={periods.map((years) => [`${years}`, yearsText(years)])}
      />
      <Sentences of={transferSentences(errors.filter(isAt('period')))} />
      <div aria-live="polite">
        {found?.price && (
          <p className="total">
            <span>Price</span>
            <strong>
              {found.isEstimate && 'up to '}
              {moneyText(found.price)}
            </strong>
          </p>
        )}
        <Sentences of={[...sentences, ...(found?.problem ? [found.problem] : [])]} />
      </div>
      <button type="submit" className="button button-wide" aria-disabled={isBusy}>
        {canTransfer ? 'Transfer the domain' : 'Check the price'}
      </button>
    </form>
  );
}

const isAtField = ({ path }: Refusal): boolean => fields.includes(path?.at(-1) ?? '');

const errorAt = (errors: readonly Refusal[], field: string): string | null =>
  transferSentences(errors.filter(isAt(field))).join(' ') || null;

const isAt =
  (field: string) =>
  ({ path }: Refusal): boolean =>
    path?.at(-1) === field;
