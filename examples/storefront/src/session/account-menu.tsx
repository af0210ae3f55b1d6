import { LinkButton } from '../shared/buttons.tsx';
import { account, signOut } from './session.ts';

/** Who is signed in, with a button that ends the session. */
export const AccountMenu = () =>
  account ? (
    <div className="account">
      <a href="#/contacts">{account.name}</a>
      <LinkButton onClick={() => void signOut()}>Sign out</LinkButton>
    </div>
  ) : (
    <div className="account">
      <a className="button button-plain" href="#/sign-in">
        Sign in
      </a>
    </div>
  );
