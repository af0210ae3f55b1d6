// @ts-check
// Functions that the scripts of the pages share. `page.ts` puts them before the script of each page.

/** @typedef {{ amount: string, currency: string }} Money */
/** @typedef {{ message: string, extensions?: { code?: string } }} ReportedError */
/** @typedef {{ status: number, data?: any, errors?: readonly ReportedError[] }} Outcome */

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

export const wrongKey =
  'The gateway does not accept this key or token: it is not known, has expired or was revoked.';

/** A token (JWT) begins with the Base64 of `{"`. @param {string} key @returns {Record<string, string>} */
function keyHeader(key) {
  if (key === '') return {};
  const isToken = /^eyJ[\w-]+\.[\w-]+\.[\w-]+$/.test(key);
  return isToken ? { authorization: `Bearer ${key}` } : { 'x-api-key': key };
}

/** A header cannot have other characters. @param {string} text */
function isHeader(text) {
  return /^[!-~]+$/.test(text);
}

/** Null in a browser that blocks it. A reload then needs the key again. */
function openStorage() {
  try {
    return sessionStorage;
  } catch {
    return null;
  }
}

const timeoutMs = 30_000;

/** The key of the visitor, which the browser stores for the tab, and the requests that are sent with it. */
export class KeySession {
  #storage = openStorage();
  #form = document.querySelector('#key-form');
  #requests = new AbortController();

  /** @param {string} base the path of the gateway, which a server may serve below a path */
  constructor(base) {
    this.base = base;
    // The same on all pages, so that the tab needs the key once.
    this.keyName = `reseller-graph:${base}:key`;
    this.key = this.#storage?.getItem(this.keyName) ?? '';
  }

  /** Aborts when another key, or none, is used. */
  get signal() {
    return this.#requests.signal;
  }

  /** @param {string} query @param {AbortSignal} signal @param {object} [variables] @returns {Promise<Outcome>} */
  async send(query, signal, variables) {
    const headers = { accept: 'application/json', 'content-type': 'application/json' };
    const response = await fetch(`${this.base}graphql`, {
      method: 'POST',
      headers: { ...headers, ...keyHeader(this.key) },
      body: JSON.stringify({ query, variables }),
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    });
    return { ...(await response.json()), status: response.status };
  }

  begin() {
    this.#requests.abort();
    this.#requests = new AbortController();
    if (this.#form) find('#forget-key', this.#form).hidden = false;
  }

  /** Forgets the key. */
  end() {
    this.#requests.abort();
    this.key = '';
    this.#storage?.removeItem(this.keyName);
    if (this.#form) find('#forget-key', this.#form).hidden = true;
  }

  /**
   * Calls `begin` after the visitor has entered a key, and `end` before, and when the visitor forgets it.
   *
   * @param {(sentence: string) => void} end @param {() => void} begin
   */
  onEntered(end, begin) {
    const form = this.#form;
    form?.addEventListener('submit', (event) => {
      event.preventDefault();
      const field = /** @type {HTMLInputElement} */ (find('#key', form));
      const entered = field.value.trim();
      field.value = '';
      end('');
      if (!isHeader(entered)) return end(wrongKey);
      this.key = entered;
      this.#storage?.setItem(this.keyName, entered);
      begin();
    });
    form?.querySelector('#forget-key')?.addEventListener('click', () => {
      end('');
      find('#key').focus();
    });
  }
}
