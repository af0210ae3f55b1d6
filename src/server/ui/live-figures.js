// @ts-check
import { amountOf, counted, find, KeySession, timeOf, wordsOf, wrongKey } from './page-script.js';

// The script of the start page: reads the figures from the graph with the key of the visitor and shows them as text.

/** @typedef {readonly [kind: 'main' | 'detail' | 'warning' | 'silent', text: string]} Line */
/** @typedef {{ at: number, lines: readonly Line[] }} Read */
/** @typedef {{ id: string, query: string, everyMs: number, needs: string }} Options */
/** @typedef {import('./page-script.js').Outcome} Outcome */

// --- What each figure shows, from the data of its query --------------------------------------------------------------

/** @typedef {import('./page-script.js').Money} Money */
/** @typedef {{ name: string | null, active: boolean | null, balances: readonly { money: Money | null }[] | null }} Reseller */
/** @typedef {{ totalCount: number }} Count */
/** @typedef {{ domainName: string, state: string, createdAt: string, nextStep: string }} Purchase */
/** @typedef {{ pending: Count, transfers: Count, unknown: Count, open: { nodes: readonly Purchase[] } }} Purchases */
/** @typedef {{ api: string, state: string, failingActions: readonly string[], resumesAt: string | null, respondedAt: string | null, inFlight: number, waiting: number }} Api */
/** @typedef {{ version: string, tenant: string, caller: string | null, purchasesStopped: { since: string } | null }} Access */

/** Features add those of their figures. @type {Record<string, (data: any) => readonly Line[] | null>} */
export const linesOf = {
  /** @param {{ reseller: Reseller }} data */
  balance: ({ reseller: { name, active, balances } }) => [
    ...(balances ?? []).map(({ money }) => main(money ? amountOf(money) : 'Cannot be read')),
    ...(name === null ? [] : [detail(name)]),
    ...when(active === false, warning('The account is not active.')),
  ],
  /** @param {Purchases} data */
  purchases: ({ pending, transfers, unknown, open }) => [
    main(counted(pending.totalCount, 'pending purchase')),
    detail(`${counted(transfers.totalCount, 'transfer')} in progress`),
    ...when(
      unknown.totalCount > 0,
      warning(`${unknown.totalCount} with an unknown outcome: check the account.`),
    ),
    ...open.nodes.map(({ domainName, state, createdAt, nextStep }) =>
      detail(`${domainName}, ${wordsOf(state)}, ${timeOf(createdAt)}: ${nextStep}`),
    ),
  ],
  /** @param {{ gateway: { environment: string, upstream: readonly Api[] } }} data */
  upstream: ({ gateway: { environment, upstream } }) => [
    main(environment === 'LIVE' ? 'Live' : 'Sandbox'),
    ...upstream.flatMap(linesOfApi),
  ],
  /** @param {{ gateway: Access }} data */
  access: ({ gateway: { version, tenant, caller, purchasesStopped } }) => [
    main(caller ?? 'No key needed'),
    detail(`Tenant ${tenant}, gateway ${version}`),
    ...(purchasesStopped
      ? [warning(`Purchases are stopped since ${timeOf(purchasesStopped.since)}.`)]
      : []),
  ],
};

/** @param {Api} api */
function linesOfApi({ api, state, failingActions, resumesAt, respondedAt, inFlight, waiting }) {
  const name = api === 'DOMAIN' ? 'Domain API' : 'Account API';
  const until = resumesAt === null ? '' : `, no calls until ${timeOf(resumesAt)}`;
  const reply = respondedAt === null ? '' : `last reply ${timeOf(respondedAt)}, `;
  const first =
    state === 'FAILING'
      ? warning(`${name}: circuit breaker open for ${failingActions.join(', ')}`)
      : state !== 'AVAILABLE'
        ? warning(`${name}: ${wordsOf(state)}${until}`)
        : detail(`${name}: ${respondedAt === null ? 'no reply yet' : 'reachable'}`);
  return [first, silent(`${name}: ${reply}${inFlight} in flight, ${waiting} in the queue.`)];
}

/** @param {boolean} condition @param {Line} line @returns {readonly Line[]} */
export function when(condition, line) {
  return condition ? [line] : [];
}

/** @param {Line[0]} kind @returns {(text: string) => Line} */
const lineOf = (kind) => (text) => [kind, text];
export const main = lineOf('main');
export const detail = lineOf('detail');
export const warning = lineOf('warning');
/** Changes so often that a screen reader must not announce it. */
const silent = lineOf('silent');

// --- One figure ------------------------------------------------------------------------------------------------------

const longestWaitMs = 600_000;

class Figure {
  isReading = false;
  /** The time of the next read. */
  dueAt = 0;
  #failures = 0;
  /** The last successful read. @type {Read | null} */
  #last = null;

  /** @param {Options} options */
  constructor(options) {
    this.options = options;
    const element = find(`[data-figure="${options.id}"]`);
    this.value = find('.value', element);
    this.notes = find('.notes', element);
  }

  reset() {
    this.isReading = false;
    this.dueAt = 0;
    this.#failures = 0;
    this.#last = null;
    this.#show(detail('Reading…'));
  }

  /** @param {Read} read */
  succeed(read) {
    this.#last = read;
    this.#failures = 0;
    this.dueAt = read.at + this.options.everyMs;
    this.#show();
  }

  /** @param {string} sentence @param {number} [retryAfterMs] */
  fail(sentence, retryAfterMs = 0) {
    this.#failures += 1;
    const waitMs = Math.min(this.options.everyMs * 2 ** this.#failures, longestWaitMs);
    this.dueAt = Date.now() + Math.max(waitMs, retryAfterMs);
    this.#show(warning(`${sentence} Next attempt: ${timeOf(this.dueAt)}.`));
  }

  forbid() {
    this.#last = null;
    this.dueAt = Infinity;
    this.#show(detail(`Needs ${this.options.needs}.`));
  }

  /** @param {readonly Line[]} more lines after those of the last successful read */
  #show(...more) {
    const lines = [...(this.#last?.lines ?? []), ...more];
    const announced = lines.filter(([kind]) => kind !== 'silent');
    const elements = announced.map(([kind, text]) => {
      const line = document.createElement('p');
      line.className = kind;
      line.textContent = text;
      return line;
    });
    const markup = elements.map(({ outerHTML }) => outerHTML).join('');
    // A screen reader announces each change of the element.
    if (this.value.innerHTML !== markup) this.value.replaceChildren(...elements);
    this.notes.textContent = [
      ...lines.flatMap(([kind, text]) => (kind === 'silent' ? text : [])),
      ...(this.#last ? [`As of ${timeOf(this.#last.at)}.`] : []),
    ].join(' ');
  }
}

// --- Reading ---------------------------------------------------------------------------------------------------------

// Relative to the page, which a server may serve below a path.
const base = location.pathname.replace(/\/?$/, '/');
const session = new KeySession(base);
const readsName = `reseller-graph:${base}:figures`;

/** @type {{ requiresKey: boolean, figures: readonly Options[] }} */
const { requiresKey, figures: rows } = JSON.parse(find('#figure-options').textContent ?? '');
const figures = rows.map((row) => new Figure(row));
const list = find('#figure-list');
const message = find('#figure-message');

function readDue() {
  if (document.hidden || list.hidden) return;
  for (const figure of figures) {
    if (!figure.isReading && figure.dueAt <= Date.now()) void read(figure, session.signal);
  }
}

/** @param {Figure} figure @param {AbortSignal} signal */
async function read(figure, signal) {
  figure.isReading = true;
  try {
    const outcome = await session.send(figure.options.query, signal);
    if (!signal.aborted) settle(figure, outcome);
  } catch {
    if (!signal.aborted) figure.fail('The gateway does not respond.');
  } finally {
    if (!signal.aborted) figure.isReading = false;
  }
}

/** @param {Figure} figure @param {Outcome} outcome */
function settle(figure, { status, retryAfterMs, data, errors = [] }) {
  const [error] = errors;
  if (status === 401) return end(wrongKey);
  if (status === 403) return end(error?.message ?? wrongKey);
  if (errors.some(({ extensions }) => extensions?.code === 'FORBIDDEN')) return figure.forbid();
  const isComplete = data && !Object.values(data).includes(null);
  const lines = isComplete ? linesOf[figure.options.id]?.(data) : null;
  if (!lines) {
    return figure.fail(error?.message ?? `The gateway responded ${status}.`, retryAfterMs);
  }
  const rest = error ? [warning(`Not complete: ${error.message}`)] : [];
  const result = { at: Date.now(), lines: [...lines, ...rest] };
  figure.succeed(result);
  session.storage?.setItem(
    readsName,
    JSON.stringify({ ...storedReads(), [figure.options.id]: result }),
  );
}

/** A reload reads a figure only when it is due. @returns {Record<string, Read>} */
function storedReads() {
  return JSON.parse(session.storage?.getItem(readsName) ?? '{}');
}

// --- The key ---------------------------------------------------------------------------------------------------------

/** @param {Record<string, Read>} reads */
function begin(reads) {
  session.begin();
  for (const figure of figures) {
    figure.reset();
    const last = reads[figure.options.id];
    if (last && last.at <= Date.now()) figure.succeed(last);
  }
  message.textContent = '';
  list.hidden = false;
  readDue();
}

/** Forgets the key and its figures. @param {string} sentence why, for the visitor */
function end(sentence) {
  session.end();
  session.storage?.removeItem(readsName);
  list.hidden = true;
  message.textContent = sentence;
}

session.onEntered(end, () => begin({}));

find('#figures').hidden = false;
if (!requiresKey || session.key !== '') begin(storedReads());
setInterval(readDue, 1_000);
document.addEventListener('visibilitychange', readDue);
