import { useState } from 'react';
import { useRoute } from '../shared/route.ts';
import { account, accounts, signIn } from './session.ts';

interface SignInProps {
  /** The page to continue with. */
  readonly hash: string;
}

/** The accounts of the demo as buttons. A real shop has the form of its login here. */
export function SignIn({ hash }: SignInProps) {
  const [problem, setProblem] = useState('');
  const choose = async (id: string) => {
    setProblem('');
    if (!(await signIn(id, hash))) setProblem('The sign-in did not work. Try again in a moment.');
  };
  return (
    <div className="accounts">
      {accounts.map(({ id, name, isStaff }) => (
        <button
          key={id}
          type="button"
          className={isStaff ? 'button button-plain' : 'button'}
          onClick={() => void choose(id)}
        >
          {name}
        </button>
      ))}
      <div role="alert">{problem && <p className="problem">{problem}</p>}</div>
    </div>
  );
}

export function SignInPage({ hash = '#/' }: Partial<SignInProps>) {
  const { parameters } = useRoute();
  return (
    <section className="card sign-in">
      <h1>Sign in</h1>
      {parameters.has('ended') && <p className="notice notice-quiet">Your session has ended.</p>}
      {account && <p>You are signed in as {account.name}.</p>}
      <p className="hint">This is a demo: choose an account. No password is needed.</p>
      <SignIn hash={hash} />
    </section>
  );
}
