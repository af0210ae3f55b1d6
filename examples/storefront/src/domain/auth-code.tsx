import { useState } from 'react';
import { LinkButton, PlainButton } from '../shared/buttons.tsx';
import { Card } from '../shared/card.tsx';
import { useAuthCode } from './use-auth-code.ts';

/** The auth code, requested by a click only. */
export function AuthCode({ name }: { readonly name: string }) {
  const { shown, problem, isReading, show, hide } = useAuthCode(name);
  return (
    <Card title="Auth code">
      <p className="hint">With it the domain can be transferred to another registrar.</p>
      <div className="secret" aria-live="polite">
        {shown && (
          <output className="code">
            {shown.code ?? 'The registrar has none for this domain.'}
          </output>
        )}
        {problem && <p className="problem">{problem}</p>}
      </div>
      <div className="actions">
        <PlainButton aria-disabled={isReading} onClick={shown ? hide : show}>
          {shown ? 'Hide' : 'Show the auth code'}
        </PlainButton>
        {shown?.code && <CopyButton text={shown.code} />}
      </div>
    </Card>
  );
}

function CopyButton({ text }: { readonly text: string }) {
  const [word, setWord] = useState('Copy');
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setWord('Copied');
    } catch {
      setWord('Copying is not allowed here');
    }
  };
  return (
    <LinkButton aria-live="polite" onClick={() => void copy()}>
      {word}
    </LinkButton>
  );
}
