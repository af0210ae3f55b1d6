/** The page of approvals uses this name too: an API key or a token is entered once, for the tab. */
const keyName = 'reseller-graph:/:key';

/** Null when callers need no key. */
const form = document.querySelector<HTMLFormElement>('#key-form');
const find = <Type extends HTMLElement>(selector: string) =>
  form?.querySelector<Type>(selector) as Type;

const storedKey = () => sessionStorage.getItem(keyName) ?? '';

export const isKeyMissing = (): boolean => form !== null && storedKey() === '';

/** A token (JWT) begins with the Base64 of `{"`. */
export function keyHeader(): Readonly<Record<string, string>> {
  const key = storedKey();
  if (key === '') return {};
  const isToken = /^eyJ[\w-]+\.[\w-]+\.[\w-]+$/.test(key);
  return isToken ? { authorization: `Bearer ${key}` } : { 'x-api-key': key };
}

export function forgetKey(sentence: string): void {
  sessionStorage.removeItem(keyName);
  if (form) show(sentence);
}

export const wrongKey =
  'The gateway does not accept this key or token: it is not known, has expired or was revoked.';

function show(sentence: string): void {
  find('#key-message').textContent = sentence;
  find('#forget-key').hidden = storedKey() === '';
}

if (form) {
  show(isKeyMissing() ? 'GraphiQL reads the schema with this key.' : '');
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const key = find<HTMLInputElement>('#key').value.trim();
    forgetKey(wrongKey);
    // A header cannot have other characters.
    if (!/^[!-~]+$/.test(key)) return;
    sessionStorage.setItem(keyName, key);
    // GraphiQL reads the schema again.
    location.reload();
  });
  find('#forget-key').addEventListener('click', () => {
    forgetKey('');
    location.reload();
  });
}
