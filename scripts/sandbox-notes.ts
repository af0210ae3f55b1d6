import type { oddReplies } from '../sandbox/account-api.ts';
import type { FaultName } from '../sandbox/service/faults.ts';
import type { newStates } from '../sandbox/service/life-cycle.ts';

/** A fault that a domain name selects. */
interface FaultNote {
  readonly fault: FaultName;
  /** Behaviour of the sandbox. */
  readonly service: string;
  /** State, error code and upstream attempts of `availability`. */
  readonly availability: readonly [state: string, errorCode: string | null, attempts: number];
}

const available = ['AVAILABLE', null, 1] as const;
const unknown = (errorCode: string, attempts: number) => ['UNKNOWN', errorCode, attempts] as const;

const notes: Readonly<
  Partial<Record<FaultName, readonly [FaultNote['service'], FaultNote['availability']]>>
> = {
  slow: ['replies after 3 seconds', available],
  drip: ['replies in 20 pieces over 5 seconds', available],
  hang: ['never replies', unknown('UPSTREAM_TIMEOUT', 1)],
  html: ['sends an HTML warning before the JSON', available],
  empty: ['sends an empty reply', unknown('UPSTREAM_PROTOCOL', 3)],
  cut: ['closes the connection in the middle of the reply', unknown('UPSTREAM_PROTOCOL', 3)],
  gateway: ['replies 502 with an HTML page', unknown('UPSTREAM_UNAVAILABLE', 3)],
  reset: ['resets the connection', unknown('UPSTREAM_UNAVAILABLE', 3)],
  busy: ['replies 429 with a wait of one second', unknown('RATE_LIMITED', 3)],
  wrongtypes: [
    'sends wrong types: numbers for text, objects for prices',
    unknown('UPSTREAM_PROTOCOL', 1),
  ],
  maps: ['sends empty maps as `[]`', available],
  prompt: ['sends instructions for a model as the reason and as a name server', available],
  'lost-answer': [
    'completes a write and closes the connection without a reply; reads work',
    available,
  ],
  late: ['closes the connection and completes the write 3 seconds later; reads work', available],
  refuse: [
    'refuses a write with `API_7777_ERROR`, which no list of codes has; reads work',
    available,
  ],
  'refuse-200': ['sends the same refusal with status 200; reads work', available],
  'refuse-after': ['completes a write and sends the same refusal; reads work', available],
};

/** Every fault that a name can select. A test injects each. */
export const namedFaults: readonly FaultNote[] = Object.entries(notes).map(
  ([fault, [service, availability]]) => ({ fault: fault as FaultName, service, availability }),
);

/** Selected domains of the account `demo`: name, state and property. A test reads each state. */
export const demoDomains: readonly (readonly [name: string, state: string, shows: string])[] = [
  ['reseller-demo.com', 'ACTIVE', 'two child name servers, IPv4 and IPv6'],
  ['xn--bcher-demo-9db.de', 'ACTIVE', 'an internationalised name: `bücher-demo.de`'],
  ['unlocked-demo.com', 'ACTIVE', 'no transfer lock'],
  ['private-demo.net', 'ACTIVE', 'privacy protection'],
  ['additional-demo.com.tr', 'ACTIVE', 'additional data that the registry requires'],
  [
    'drifted-demo.com',
    'ACTIVE',
    'unlocked in the account and locked at the registry; `syncDomain` corrects it',
  ],
  ['two-views-demo.com', 'ACTIVE', 'the same, but `syncDomain` corrects nothing'],
  ['delayed-glue-demo.com', 'ACTIVE', 'a new child name server appears after five seconds'],
  ['expiring-demo.com', 'ACTIVE', 'expires in three days'],
  ['grace-demo.com', 'EXPIRED', 'expired ten days ago, still in use'],
  ['redemption-demo.com', 'REDEMPTION', 'expired and deleted'],
  ['pending-demo.com', 'PENDING_REGISTRATION', 'registration in progress'],
  ['arriving-demo.com', 'PENDING_TRANSFER_IN', 'transfer to this account in progress'],
  ['leaving-demo.com', 'PENDING_TRANSFER_OUT', 'transfer to another registrar in progress'],
  ['rejected-demo.com', 'TRANSFER_FAILED', 'transfer rejected'],
  ['gone-demo.com', 'TRANSFERRED_OUT', 'transferred to another registrar'],
  ['deleted-demo.com', 'DELETED', 'deleted'],
  ['unheard-of-demo.com', 'UNKNOWN', 'a status that the specification does not describe'],
];

/** The states of new domains, with the state in the graph. A test registers a name of each. */
export const stateNotes: Readonly<
  Record<keyof typeof newStates, readonly [state: string, shows: string]>
> = {
  active: ['ACTIVE', 'as any other name'],
  expiring: ['ACTIVE', 'expires in three days'],
  grace: ['EXPIRED', 'expired ten days ago, still in use'],
  hold: ['EXPIRED', 'expired 35 days ago, on hold'],
  redemption: ['REDEMPTION', 'expired and deleted'],
  async: [
    'PENDING_REGISTRATION',
    'without an expiry date (`0001-01-01T00:00:00`), until a minute of the sandbox has passed; then `ACTIVE`',
  ],
};

/** The replies of the Account API outside its envelope. */
export const oddReplyNotes: Readonly<Record<keyof typeof oddReplies, string>> = {
  result: '200, `{ "result": "ERROR", "error": { … } }`; not executed',
  success: '200, `{ "success": false }`; not executed',
  error: '200, `{ "error": "…" }`; not executed',
  html: '200, a login page; not executed',
  '401': '401, a page without a body of the API; not executed',
  '403': '403, the same',
  object: '200, `{}`; executed',
  nothing: '204, nothing; executed',
};

/** Every admin call of the sandbox. */
export const adminNotes: Readonly<Record<string, string>> = {
  'GET /admin/calls': 'Received calls, in order; `reseller` is the user name of the login.',
  'DELETE /admin/calls': 'Deletes the list of calls.',
  'POST /admin/faults':
    'Arms a fault: `{ "fault", "action"?, "domain"?, "after"?, "times"?, "ms"?, "code"?, "status"? }`. It skips `after` matching calls and affects the next.',
  'GET /admin/faults': 'Armed faults.',
  'DELETE /admin/faults': 'Disarms all faults.',
  'GET /admin/held': 'Number of calls that `hold-before` and `hold-after` hold.',
  'POST /admin/release': 'Releases held calls.',
  'GET /admin/clock': 'The time of the sandbox.',
  'POST /admin/clock':
    'Sets the time: `{ "now" }`, `{ "advanceMs" }` or `{ "advanceDays" }`. The time of a gateway in the same process moves with it; `gateway` in the reply says whether there is one.',
  'GET /admin/latency': 'The latency of calls.',
  'POST /admin/latency':
    'Sets the latency in milliseconds: `{ "perCallMs"?, "spreadMs"?, "perNameMs"?, "purchaseMs"? }`, each 0 when absent. A random part of `spreadMs` is added to every call, `perNameMs` for each name of an availability check, `purchaseMs` to a registration or transfer.',
  'POST /admin/reset':
    'Restores the initial data and the clock, and deletes the stored data and the caches of a gateway in the same process.',
  'POST /admin/tokens':
    'Starts a session: `{ "user" }` returns its Account API token and ends the previous session.',
  'GET /admin/state':
    'Balances, number of domains and purchases of `?reseller=`, by default `demo`.',
  'POST /admin/balances':
    'Sets a balance: `{ "currency", "balance", "reseller"? }`, by default of `demo`. The ledger has no entry of it.',
  'GET /admin/domain': 'All records of `?name=`, auth codes included, in every account.',
  'POST /admin/domains':
    'Creates a domain, or replaces the one of this name in the account: `{ "name", "state"?, "reseller"? }` with a state of [new domains](#states-of-new-domains), by default `active`. `status`, `registryStatus`, `expiresInDays`, `ageInDays`, `locked`, `privacy` and `nameServers` replace parts of it.',
  'GET /admin/carts': 'Every cart.',
  'GET /admin/hosting-groups': 'Every hosting group.',
  'GET /admin/logs': 'Every log entry of the Account API.',
};
