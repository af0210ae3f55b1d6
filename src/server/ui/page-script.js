// @ts-check
// Functions that the scripts of the pages share. `page.ts` puts them before the script of each page.

/** @typedef {{ amount: string, currency: string }} Money */

const amounts = new Intl.NumberFormat([], { minimumFractionDigits: 2, maximumFractionDigits: 10 });

/** Exact, because `format` takes a decimal as text. @param {Money} money */
export function amountOf({ amount, currency }) {
  return `${amounts.format(/** @type {any} */ (amount))} ${currency}`;
}

/** @param {number} count @param {string} noun */
export function counted(count, noun) {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** @param {string} name of an enum value */
export function wordsOf(name) {
  return name.toLowerCase().replaceAll('_', ' ');
}

/** Without the date if it is today. @param {string | number} instant */
export function timeOf(instant) {
  const at = new Date(instant);
  const isToday = at.toDateString() === new Date().toDateString();
  return isToday ? at.toLocaleTimeString() : at.toLocaleString();
}

/** @param {string} selector @param {ParentNode} [parent] @returns {HTMLElement} */
export function find(selector, parent = document) {
  const found = parent.querySelector(selector);
  if (found instanceof HTMLElement) return found;
  throw new Error(`The page has no element ${selector}.`);
}

/** Null in a browser that blocks it. A reload then needs the key again. */
export function openStorage() {
  try {
    return sessionStorage;
  } catch {
    return null;
  }
}

export const wrongKey =
  'The gateway does not accept this key or token: it is not known, has expired or was revoked.';

/** A token (JWT) begins with the Base64 of `{"`. @param {string} key @returns {Record<string, string>} */
export function keyHeader(key) {
  if (key === '') return {};
  const isToken = /^eyJ[\w-]+\.[\w-]+\.[\w-]+$/.test(key);
  return isToken ? { authorization: `Bearer ${key}` } : { 'x-api-key': key };
}

/** A header cannot have other characters. @param {string} text */
function isHeader(text) {
  return /^[!-~]+$/.test(text);
}

/**
 * Calls `use` with a key that the visitor enters, and `end` before, and when the visitor forgets it.
 *
 * @param {Element | null} form @param {(sentence: string) => void} end @param {(key: string) => void} use
 */
export function onEnteredKey(form, end, use) {
  form?.addEventListener('submit', (event) => {
    event.preventDefault();
    const field = /** @type {HTMLInputElement} */ (find('#key', form));
    const entered = field.value.trim();
    field.value = '';
    end('');
    if (isHeader(entered)) use(entered);
    else end(wrongKey);
  });
  form?.querySelector('#forget-key')?.addEventListener('click', () => {
    end('');
    find('#key').focus();
  });
}
