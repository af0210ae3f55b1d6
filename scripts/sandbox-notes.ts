import type { FaultName } from '../src/sandbox/fault-names.ts';

/** What a name that asks for a fault shows: of `availability`, and of what the service does. */
interface FaultNote {
  readonly fault: FaultName;
  readonly service: string;
  /** State, error code and upstream attempts that `availability` comes to. */
  readonly availability: readonly [state: string, errorCode: string | null, attempts: number];
}

/** Every fault that a name can ask for; a test plays each. */
export const namedFaults: readonly FaultNote[] = [
  {
    fault: 'slow',
    service: 'answers after 3 seconds',
    availability: ['AVAILABLE', null, 1],
  },
  {
    fault: 'drip',
    service: 'sends its answer in 20 pieces over 5 seconds',
    availability: ['AVAILABLE', null, 1],
  },
  {
    fault: 'hang',
    service: 'never answers',
    availability: ['UNKNOWN', 'UPSTREAM_TIMEOUT', 1],
  },
  {
    fault: 'html',
    service: 'puts an HTML warning before its JSON',
    availability: ['AVAILABLE', null, 1],
  },
  {
    fault: 'empty',
    service: 'answers with nothing',
    availability: ['UNKNOWN', 'UPSTREAM_PROTOCOL', 3],
  },
  {
    fault: 'cut',
    service: 'ends the connection in the middle of its answer',
    availability: ['UNKNOWN', 'UPSTREAM_PROTOCOL', 3],
  },
  {
    fault: 'gateway',
    service: 'answers 502 with a page of HTML',
    availability: ['UNKNOWN', 'UPSTREAM_UNAVAILABLE', 3],
  },
  {
    fault: 'reset',
    service: 'resets the connection',
    availability: ['UNKNOWN', 'UPSTREAM_UNAVAILABLE', 3],
  },
  {
    fault: 'busy',
    service: 'answers 429 and asks to wait a second',
    availability: ['UNKNOWN', 'RATE_LIMITED', 3],
  },
  {
    fault: 'wrongtypes',
    service: 'answers with numbers for text, objects for prices and so on',
    availability: ['UNKNOWN', 'UPSTREAM_PROTOCOL', 1],
  },
  {
    fault: 'maps',
    service: 'sends empty maps as `[]`',
    availability: ['AVAILABLE', null, 1],
  },
  {
    fault: 'lost-answer',
    service: 'does a write and ends the connection without an answer; reads are as usual',
    availability: ['AVAILABLE', null, 1],
  },
  {
    fault: 'late',
    service: 'ends the connection, then does the write 3 seconds later; reads are as usual',
    availability: ['AVAILABLE', null, 1],
  },
];

/** Domains of the account `demo` that are worth knowing: state, and what they are for. A test reads each state. */
export const demoDomains: readonly (readonly [name: string, state: string, shows: string])[] = [
  ['reseller-demo.com', 'ACTIVE', 'the one to begin with: two child name servers, IPv4 and IPv6'],
  ['xn--bcher-demo-9db.de', 'ACTIVE', 'an internationalised name: `bücher-demo.de`'],
  ['unlocked-demo.com', 'ACTIVE', 'no transfer lock'],
  ['private-demo.net', 'ACTIVE', 'privacy protection'],
  ['additional-demo.com.tr', 'ACTIVE', 'additional data that a registry asks for'],
  [
    'drifted-demo.com',
    'ACTIVE',
    'unlocked here and locked at the registry; `syncDomain` corrects that',
  ],
  ['two-views-demo.com', 'ACTIVE', 'the same, and `syncDomain` corrects nothing'],
  ['delayed-glue-demo.com', 'ACTIVE', 'a new child name server appears after five seconds'],
  ['expiring-demo.com', 'ACTIVE', 'three days to go'],
  ['grace-demo.com', 'EXPIRED', 'expired ten days ago, still in use'],
  ['redemption-demo.com', 'REDEMPTION', 'expired and deleted'],
  ['pending-demo.com', 'PENDING_REGISTRATION', 'ordered, not yet registered'],
  ['arriving-demo.com', 'PENDING_TRANSFER_IN', 'on its way in'],
  ['leaving-demo.com', 'PENDING_TRANSFER_OUT', 'on its way out'],
  ['rejected-demo.com', 'TRANSFER_FAILED', 'a transfer that was rejected'],
  ['gone-demo.com', 'TRANSFERRED_OUT', 'gone to another registrar'],
  ['deleted-demo.com', 'DELETED', 'deleted'],
  ['unheard-of-demo.com', 'UNKNOWN', 'a status that nobody has described'],
];

/** Every admin call of the sandbox. */
export const adminNotes: Readonly<Record<string, string>> = {
  'GET /admin/calls':
    'The calls that arrived, in their order; `reseller` is the user name of the login.',
  'DELETE /admin/calls': 'Forgets them.',
  'POST /admin/faults':
    'Arms a fault: `{ "fault", "action"?, "domain"?, "after"?, "times"?, "ms"?, "code"?, "status"? }`. It lets `after` calls that fit pass and meets the next.',
  'GET /admin/faults': 'The faults that still wait for their call.',
  'DELETE /admin/faults': 'Disarms them.',
  'GET /admin/held': 'How many calls `hold-before` and `hold-after` hold.',
  'POST /admin/release': 'Lets them go.',
  'GET /admin/clock': 'The time by which the sandbox lives.',
  'POST /admin/clock': 'Moves it: `{ "now" }`, `{ "advanceMs" }` or `{ "advanceDays" }`.',
  'GET /admin/latency': 'How long calls take.',
  'POST /admin/latency':
    'Sets the milliseconds that calls take: `{ "perCallMs"?, "spreadMs"?, "perNameMs"?, "purchaseMs"? }`, each 0 when absent. A random part of `spreadMs` is added to every call, `perNameMs` for each name of an availability check, `purchaseMs` to a registration or transfer.',
  'POST /admin/reset': 'Seeds everything anew, the clock too.',
  'POST /admin/tokens':
    'Begins a session: `{ "user" }` returns its Account API token. A user has one session; the one before ends.',
  'GET /admin/state':
    'Balances, number of domains and purchases of `?reseller=`, by default `demo`.',
  'GET /admin/domain': 'All records of `?name=`, auth codes too, whoever holds them.',
  'GET /admin/carts': 'Every cart.',
  'GET /admin/hosting-groups': 'Every hosting group.',
  'GET /admin/logs': 'Every log entry of the Account API.',
};
