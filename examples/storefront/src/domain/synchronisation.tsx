import { PlainButton } from '../shared/buttons.tsx';
import { Card } from '../shared/card.tsx';
import { type Synchronised, syncDocument } from './changes.ts';
import type { SectionProps } from './domain-page.tsx';
import { Outcome } from './outcome.tsx';
import { useChange } from './use-change.ts';
import { fieldText, valueText } from './value-text.ts';

export function Synchronisation({ domain: { name }, reread }: SectionProps) {
  const change = useChange(syncDocument, reread);
  return (
    <Card title="Registry">
      <p className="hint">The account has a copy of the record at the registry.</p>
      <PlainButton
        aria-disabled={change.stage === 'sending'}
        onClick={() => void change.send({ input: { domain: name } })}
      >
        Synchronise
      </PlainButton>
      <Outcome change={change} done="Synchronised." />
      {change.result && <Findings found={change.result} />}
    </Card>
  );
}

/** What the synchronisation changed, and what differs still. */
function Findings({ found: { changes, drift } }: { readonly found: Synchronised }) {
  return (
    <ul className="findings" aria-label="Result of the synchronisation">
      {changes === null && <li>The domain could not be compared with its state before.</li>}
      {changes?.length === 0 && <li>Nothing changed in the account.</li>}
      {changes?.map(({ field, before, after }) => (
        <li key={field}>
          {fieldText(field)}: {valueText(before)} → {valueText(after)}
        </li>
      ))}
      {drift === null && <li>The account could not be compared with the registry.</li>}
      {drift?.length === 0 && <li>Account and registry agree.</li>}
      {drift?.map(({ field, before, after }) => (
        <li key={field} className="problem">
          {fieldText(field)} still differs: {valueText(before)} in the account, {valueText(after)}{' '}
          at the registry.
        </li>
      ))}
    </ul>
  );
}
