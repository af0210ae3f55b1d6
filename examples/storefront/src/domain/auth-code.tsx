import { useState } from 'react';
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
        <button
          type="button"
          className="button button-plain"
          aria-disabled={isReading}
          onClick={shown ? hide : show}
        >
          {shown ? 'Hide' : 'Show the auth code'}
        </button>
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
    <button type="button" className="link" aria-live="polite" onClick={() => void copy()}>
      {word}
    </button>
  );
}
