import { Card } from '../shared/card.tsx';
import { setPrivacyDocument } from './changes.ts';
import type { SectionProps } from './domain-page.tsx';
import { Outcome } from './outcome.tsx';
import { useChange } from './use-change.ts';

export function Privacy({ domain: { name, privacyProtected }, reread }: SectionProps) {
  const change = useChange(setPrivacyDocument, reread);
  const set = () =>
    void change.send({ input: { domain: name, privacyProtected: privacyProtected === false } });
  return (
    <Card title="Privacy">
      {privacyProtected === null ? (
        <p className="problem">Privacy protection could not be read.</p>
      ) : (
        <button
          type="button"
          role="switch"
          className="switch"
          aria-checked={privacyProtected}
          aria-disabled={change.stage === 'sending'}
          onClick={set}
        >
          <span>Hide the contacts from the public</span>
        </button>
      )}
      <Outcome
        change={change}
        done={privacyProtected ? 'The contacts are hidden.' : 'The contacts are public.'}
      />
    </Card>
  );
}
