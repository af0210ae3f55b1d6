import { account, signOut } from './session.ts';

/** Who is signed in, with a button that ends the session. */
export const AccountMenu = () =>
  account ? (
    <div className="account">
      <a href="#/contacts">{account.name}</a>
      <button type="button" className="link" onClick={() => void signOut()}>
        Sign out
      </button>
    </div>
  ) : (
    <div className="account">
      <a className="button button-plain" href="#/sign-in">
        Sign in
      </a>
    </div>
  );
