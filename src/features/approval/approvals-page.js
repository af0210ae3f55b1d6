// @ts-check
import {
  amountOf,
  counted,
  find,
  KeySession,
  timeOf,
  wordsOf,
  wrongKey,
} from '../../server/ui/page-script.js';

// The script of the page of approvals: reads the waiting approvals, or one of them, with the key of the visitor, and sends a decision.

/** @typedef {import('../../server/ui/page-script.js').Money} Money */
/** @typedef {{ domainName: string | null, unicodeName?: string | null, kind?: string, period?: number, target?: readonly string[] | null }} Item */
/** @typedef {{ setNameServers: readonly string[] | null, replaceNameServer: { from: string, to: string } | null, addNameServer: string | null, removeNameServer: string | null, privacyProtected: boolean | null, sync: boolean | null, unlock: boolean | null, items: boolean | null }} Change */
/** The members of one of the types of a subject. @typedef {{ domainName?: string, unicodeName?: string, period?: number, purchaseState?: string, orderState?: string, lines?: readonly Item[], changeState?: string, change?: Change, items?: readonly Item[] }} Subject */
/** @typedef {{ id: string, operation: keyof typeof titles, state: string, subject: Subject | null, count: number, price: Money | null, cost: Money | null, rule: { position: number, text: string | null }, caller: string | null, customer: string | null, reason: string | null, decidedBy: string | null, requestedAt: string, expiresAt: string, decidedAt: string | null, registrations?: readonly Registration[] | null }} Approval */
/** @typedef {{ domainName: string | null, registrant: Person | null, nameServers: readonly string[] | null }} Registration */
/** @typedef {{ firstName: string, lastName: string, company: string | null, email: string, phone: string, address: { line1: string, line2: string | null, city: string, state: string | null, zipCode: string | null, country: string } }} Person */
/** @typedef {{ caller: string | null, scopes: readonly string[] }} Visitor */

const titles = {
  REGISTRATION: 'Registration',
  TRANSFER: 'Transfer',
  UNLOCK: 'Removing the transfer lock',
  AUTH_CODE: 'Reading the auth code',
  BULK_CHANGE: 'Bulk change',
};

// Relative to the page, which a server may serve below a path.
const base = location.pathname.replace(/approvals(?:\/[^/]*)?\/?$/, '');
const id = /\/approvals\/([^/]+)\/?$/.exec(location.pathname)?.[1] ?? null;
const session = new KeySession(base);

/** @type {{ requiresKey: boolean, documents: Record<'list' | 'one' | 'approve' | 'reject', string> }} */
const { requiresKey, documents } = JSON.parse(find('#approval-options').textContent ?? '');
const list = find('#approvals');
const message = find('#page-message');

// --- What the page shows ---------------------------------------------------------------------------------------------

/** @param {string} name @param {string} text @param {string} [className] */
function element(name, text, className) {
  const made = document.createElement(name);
  made.textContent = text;
  if (className) made.className = className;
  return made;
}

/** @param {Approval['operation']} operation */
function isPurchase(operation) {
  return operation === 'REGISTRATION' || operation === 'TRANSFER';
}

/** @param {string} name @param {string} unicodeName */
function shownName(name, unicodeName) {
  return unicodeName === name ? name : `${unicodeName} (${name})`;
}

/** @param {Approval} approval */
function titleOf({ operation, subject, count }) {
  const { domainName, unicodeName = '' } = subject ?? {};
  const about =
    (domainName && shownName(domainName, unicodeName)) ??
    counted(count, isPurchase(operation) ? 'purchase' : 'domain');
  return `${titles[operation]}: ${about}`;
}

/** @param {Approval} approval @returns {readonly (readonly [name: string, text: string])[]} */
function factsOf(approval) {
  const { price, cost, rule, reason, decidedBy, decidedAt, caller, customer, count } = approval;
  const { period, lines, items = lines, change } = approval.subject ?? {};
  const by = `${caller ?? 'a caller without a name'}${customer === null ? '' : `, for ${customer}`}`;
  const outcome = outcomeOf(approval);
  const registrations = approval.registrations ?? [];
  /** @type {[string, string | null | undefined][]} */
  const facts = [
    ['State', wordsOf(approval.state)],
    ['Requested by', by],
    ['Requested', timeOf(approval.requestedAt)],
    ['Expires', timeOf(approval.expiresAt)],
    ['Period', period === undefined ? null : counted(period, 'year')],
    ['Price', price && amountOf(price)],
    ['Cost', cost && amountOf(cost)],
    ['Registrant', eachOf(registrations, ({ registrant }) => registrant && personOf(registrant))],
    ['Name servers', eachOf(registrations, ({ nameServers }) => nameServers?.join(', '))],
    ['Change', change && changeOf(change)],
    ['Domains', items && domainsOf(items, count)],
    ['Rule', `rule ${rule.position}${rule.text === null ? '' : `: ${rule.text}`}`],
    [
      'Decided',
      decidedAt && `${timeOf(decidedAt)}${decidedBy === null ? '' : `, by ${decidedBy}`}`,
    ],
    ['Reason', reason],
    ['Outcome', outcome && wordsOf(outcome)],
  ];
  return facts.flatMap(([name, text]) => (text ? [/** @type {const} */ ([name, text])] : []));
}

/** The state of the purchase, order or bulk change after the decision. @param {Approval} approval */
function outcomeOf({ state, subject }) {
  if (state === 'REQUESTED') return null;
  const { purchaseState, orderState, changeState } = subject ?? {};
  return purchaseState ?? orderState ?? changeState ?? null;
}

/** @param {Person} person */
function personOf({ firstName, lastName, company, email, phone, address }) {
  const { line1, line2, zipCode, city, state, country } = address;
  const place = [zipCode, city].filter(Boolean).join(' ');
  const parts = [`${firstName} ${lastName}`, company, email, phone, line1, line2, place, state];
  return [...parts, country].filter(Boolean).join(', ');
}

/**
 * One text for registrations with the same value, otherwise the value of each.
 *
 * @param {readonly Registration[]} registrations @param {(one: Registration) => string | null | undefined} textOf
 */
function eachOf(registrations, textOf) {
  const texts = new Set(registrations.map((one) => textOf(one) ?? 'none'));
  if (texts.size < 2) return [...texts][0];
  return registrations.map((one) => `${one.domainName}: ${textOf(one) ?? 'none'}`).join('; ');
}

/** @param {readonly Item[]} items @param {number} count */
function domainsOf(items, count) {
  const names = items.map(({ domainName, unicodeName, kind, period, target }) => {
    const how =
      target?.join(' ') ?? (kind && period && `${wordsOf(kind)}, ${counted(period, 'year')}`);
    const name = domainName && shownName(domainName, unicodeName ?? domainName);
    return `${name ?? 'an invalid name'}${how ? ` (${how})` : ''}`;
  });
  return `${names.join(', ')}${count > items.length ? `, and ${count - items.length} more` : ''}`;
}

/** @param {Change} change */
function changeOf(change) {
  const { setNameServers, replaceNameServer, addNameServer, removeNameServer } = change;
  const { privacyProtected, sync, unlock, items } = change;
  return [
    setNameServers && `name servers ${setNameServers.join(', ')}`,
    replaceNameServer && `name server ${replaceNameServer.from} to ${replaceNameServer.to}`,
    addNameServer && `added name server ${addNameServer}`,
    removeNameServer && `removed name server ${removeNameServer}`,
    privacyProtected !== null && `privacy protection ${privacyProtected ? 'on' : 'off'}`,
    sync && 'synchronization with the registry',
    unlock && 'no transfer lock',
    items && 'name servers of each domain',
  ]
    .filter(Boolean)
    .join(', ');
}

/** Whether the visitor may decide: not about an own request. @param {Approval} approval @param {Visitor} visitor */
function mayDecide({ state, caller }, visitor) {
  const isOther = caller !== null && caller !== visitor.caller;
  return state === 'REQUESTED' && isOther && visitor.scopes.includes('approvals:decide');
}

/** @param {Approval} approval @param {Visitor} visitor */
function articleOf(approval, visitor) {
  const article = element('article', '');
  const facts = document.createElement('dl');
  for (const [name, text] of factsOf(approval)) {
    facts.append(element('dt', name), element('dd', text));
  }
  article.append(element('h2', titleOf(approval)), facts);
  const path = `approvals/${approval.id}`;
  const decides = mayDecide(approval, visitor);
  if (id === null) article.append(linkTo(path, decides ? 'Open and decide' : 'Open'));
  else if (decides) article.append(decisionOf());
  else if (outcomeOf(approval)) article.append(linkTo(path, 'Show the outcome of now'));
  return article;
}

/** @param {string} path @param {string} text */
function linkTo(path, text) {
  const link = document.createElement('a');
  link.href = `${base}${path}`;
  link.textContent = text;
  return link;
}

function decisionOf() {
  const decision = element('div', '', 'decision');
  const label = document.createElement('label');
  label.htmlFor = 'reason';
  label.textContent = 'Reason of a rejection (optional)';
  const reason = document.createElement('input');
  Object.assign(reason, { id: 'reason', maxLength: 500, autocomplete: 'off' });
  const approve = buttonOf('Approve', () => decide('approve', { id }));
  const reject = buttonOf('Reject', () => decide('reject', { id, reason: reason.value || null }));
  decision.append(approve, label, reason, reject);
  return decision;
}

/** @param {string} text @param {() => void} act */
function buttonOf(text, act) {
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = text;
  button.addEventListener('click', act);
  return button;
}

// --- Reading and deciding --------------------------------------------------------------------------------------------

/** Shows what the gateway has now. @param {string} [sentence] for the visitor */
async function show(sentence = '') {
  const { signal } = session;
  const outcome = await (id === null
    ? session.send(documents.list, signal, {})
    : session.send(documents.one, signal, { id })
  ).catch(() => null);
  if (signal.aborted) return;
  if (outcome === null) return report('The gateway does not respond. Reload the page.');
  const { status, data, errors = [] } = outcome;
  if (status === 401 || status === 403) return end(errors[0]?.message ?? wrongKey);
  /** @type {readonly Approval[] | null} */
  const found = id === null ? (data?.approvals?.nodes ?? null) : data?.node ? [data.node] : null;
  if (found === null) {
    return report(errors[0]?.message ?? 'There is no such approval, or this key must not see it.');
  }
  list.replaceChildren(...found.map((one) => articleOf(one, data.gateway)));
  list.hidden = false;
  const { totalCount = 0, countAtLeast = 0 } = data?.approvals ?? {};
  const more = countAtLeast - found.length;
  const atLeast = totalCount === null ? 'at least ' : '';
  const none = found.length === 0 ? 'Nothing waits for a decision.' : '';
  report(sentence || none || (more > 0 ? `And ${atLeast}${more} more.` : ''));
}

/** @param {'approve' | 'reject'} field @param {object} variables */
async function decide(field, variables) {
  const { signal } = session;
  for (const button of list.querySelectorAll('button')) button.disabled = true;
  const outcome = await session.send(documents[field], signal, variables).catch(() => null);
  if (signal.aborted) return;
  const { data = null, errors = [] } = outcome ?? {};
  const [error] = [...errors, ...(data?.[field]?.errors ?? [])];
  await show(outcome === null ? unknown : (error?.message ?? done[field]));
}

const unknown =
  'The gateway did not respond, so the decision may have been made or not. The state below is that of now.';
const done = { approve: 'You approved the request.', reject: 'You rejected the request.' };

/** @param {string} sentence */
function report(sentence) {
  message.textContent = sentence;
}

// --- The key ---------------------------------------------------------------------------------------------------------

function begin() {
  session.begin();
  report('Reading…');
  void show();
}

/** Forgets the key and its approvals. @param {string} sentence why, for the visitor */
function end(sentence) {
  session.end();
  list.replaceChildren();
  list.hidden = true;
  report(sentence);
}

session.onEntered(end, begin);

find('#list-link').hidden = id === null;
find('#list-link').replaceChildren(linkTo('approvals', 'All waiting approvals'));
if (!requiresKey || session.key !== '') begin();
