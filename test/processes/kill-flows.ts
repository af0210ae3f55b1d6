import { setTimeout as sleep } from 'node:timers/promises';
import { order, transferCode } from '../graph/purchases/shop.ts';
import { ada } from '../support/ada.ts';
import type { Deployment } from './deployment.ts';
import { buy, type Clients, change, hostsOf, place } from './random-clients.ts';

/** What the clients of a flow use. */
export interface FlowClients {
  readonly clients: Clients;
  readonly admin: Deployment['admin'];
  /** Sends a request with the key of this name until a gateway responds. */
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into responses of any shape
  readonly sendAs: (name: string, query: string, variables?: object) => Promise<any>;
  /** Whether the webhook accepted an event with this text. */
  readonly hasAccepted: (text: string) => boolean;
}

export interface Flow {
  /** Where the gateway is killed. */
  readonly points: readonly string[];
  /** Sends the requests of the flow about domains that begin with the name, and again until the flow has ended. */
  readonly run: (on: FlowClients, name: string) => Promise<void>;
  /** The domains that exist before. */
  readonly names?: (name: string) => readonly string[];
  /** Whether its points exist with a SQLite journal only. */
  readonly isOfSqlite?: true;
  /** Before the requests. */
  readonly prepare?: (on: FlowClients, name: string) => Promise<void>;
}

const lines = [0, 1, 2];
const register = buy('registerDomain', 'RegisterDomain');
const transfer = buy('transferDomain', 'TransferDomain');
const approve = 'mutation ($id: ID!) { approve(input: { id: $id }) { errors { code } } }';
const requested = `query { approvals(first: 100, filter: { states: [REQUESTED] }) { nodes { id } } }`;
const readOrder = 'query ($key: String!) { order(by: { key: $key }) { state } }';
const readChange = 'query ($key: String!) { bulkChange(by: { key: $key }) { state } }';

const buyOne = ({ clients }: FlowClients, name: string) =>
  clients.buyOne(register, `${name}.com`, order({ period: 1 }));
const arm =
  (...faults: readonly object[]) =>
  async ({ admin }: FlowClients, name: string) => {
    for (const fault of faults) await admin('POST', '/faults', { ...fault, domain: `${name}.com` });
  };
const domainsOf = (name: string) => lines.map((at) => `${name}-${at}.com`);
const untilEnd = async ({ sendAs }: FlowClients, query: string, key: string) => {
  const isRunning = async () =>
    Object.values<{ state: string }>(await sendAs('shop', query, { key }))[0]?.state === 'RUNNING';
  while (await isRunning()) await sleep(100);
};
const setPrivacy = ({ clients }: FlowClients, name: string) => {
  const write = ['setPrivacyProtection', 'privacyProtected: true'];
  return clients.setOne('PRIVACY_CHANGED', `${name}.com`, 'true', write);
};

/** The flows of the product, each with its kinds of points. */
export const flows: Readonly<Record<string, Flow>> = {
  purchase: {
    points: [
      'before persistence/purchase-store.ts insert',
      'after persistence/purchase-store.ts insert',
      'before persistence/purchase-store.ts movePurchase',
      'after persistence/purchase-store.ts movePurchase',
      'before send registerdomain',
      'after send registerdomain',
      'reply send registerdomain',
      'after persistence/purchase-store.ts movePurchase (2)',
    ],
    run: buyOne,
  },
  // Writes of the same moment share a commit.
  together: {
    isOfSqlite: true,
    points: ['before commit', 'after commit', 'before commit (5)'],
    async run(on, name) {
      await Promise.all(Array.from({ length: 10 }, (_, at) => buyOne(on, `${name}-${at}`)));
    },
  },
  transfer: {
    points: [
      'after persistence/purchase-store.ts insert',
      'after persistence/purchase-store.ts movePurchase',
      'before send transferdomain',
      'after send transferdomain',
      'reply send transferdomain',
      'before persistence/purchase-store.ts movePurchase (2)',
      'after persistence/purchase-store.ts movePurchase (2)',
    ],
    run: ({ clients }, name) =>
      clients.buyOne(transfer, `outside-${name}.com`, { authCode: transferCode }),
  },
  order: {
    points: [
      'before persistence/job-store.ts createJob',
      'after persistence/job-store.ts createJob',
      'after persistence/job-store.ts createJob (2)',
      'after persistence/job-leases.ts takeItems',
      'after persistence/purchase-store.ts insert',
      'after persistence/purchase-store.ts movePurchase',
      'before send registerdomain',
      'after send registerdomain',
      'reply send registerdomain',
      'before persistence/job-leases.ts updateLeased',
      'after persistence/job-leases.ts updateLeased',
      'after send registerdomain (3)',
    ],
    async run(on, name) {
      const input = {
        idempotencyKey: name,
        lines: domainsOf(name).map((domain) => ({ registration: { domain } })),
        defaults: { registrant: { fields: ada }, nameServers: hostsOf('ordered') },
      };
      await on.clients.sendUntil(place, input, ({ order: placed }) => placed !== null);
      await untilEnd(on, readOrder, name);
    },
  },
  approval: {
    points: [
      'before features/approval/store.ts request',
      'after features/approval/store.ts request',
      'after persistence/job-store.ts createJob',
      'before persistence/purchase-store.ts insert',
      'after persistence/purchase-store.ts insert',
      'before features/approval/store.ts decide',
      'after features/approval/store.ts decide',
      'after persistence/purchase-store.ts updateHeld',
      'after persistence/purchase-store.ts movePurchase',
      'before send registerdomain',
      'after send registerdomain',
      'reply send registerdomain',
      'after persistence/purchase-store.ts movePurchase (2)',
      'after persistence/job-leases.ts updateLeased',
    ],
    async run({ sendAs }, name) {
      const domain = `${name}.com`;
      const input = order({ domain, period: 1, idempotencyKey: domain });
      const isOpen = async () => {
        const { purchase } = (await sendAs('desk', register, { input })).registerDomain;
        return !['SUCCEEDED', 'FAILED'].includes(purchase?.state);
      };
      while (await isOpen()) {
        const { nodes } = (await sendAs('chief', requested)).approvals;
        for (const { id } of nodes) await sendAs('chief', approve, { id });
        await sleep(100);
      }
    },
  },
  change: {
    points: [
      'before persistence/job-store.ts createJob',
      'after persistence/job-store.ts createJob',
      'after persistence/job-store.ts createJob (2)',
      'after persistence/job-leases.ts takeItems',
      'after persistence/job-leases.ts updateLeased',
      'before send modifynameserver',
      'after send modifynameserver',
      'reply send modifynameserver',
      'after persistence/job-leases.ts updateLeased (2)',
      'after send modifynameserver (3)',
    ],
    names: domainsOf,
    async run(on, name) {
      const names = domainsOf(name);
      const nameServers = hostsOf(name);
      for (const domain of names)
        on.clients.histories.get(`NAME_SERVERS_CHANGED ${domain}`)?.push(nameServers.join(' '));
      const chosen = { names, expectedCount: names.length };
      const input = { idempotencyKey: name, ...chosen, change: { setNameServers: nameServers } };
      await on.clients.sendUntil(change, input, ({ bulkChange }) => bulkChange !== null);
      await untilEnd(on, readChange, name);
    },
  },
  refused: {
    points: ['after persistence/purchase-store.ts movePurchase (2)'],
    prepare: arm({ fault: 'code', action: 'registerdomain', code: '2306' }),
    run: buyOne,
  },
  unanswered: {
    // It is PENDING.
    points: ['after persistence/purchase-store.ts movePurchase (2)'],
    prepare: arm(
      { fault: 'lost-answer', action: 'registerdomain' },
      { fault: 'gateway', action: 'getdetails', after: 1, times: 3 },
    ),
    run: buyOne,
  },
  write: {
    points: [
      'before features/audit/store.ts insertAfter',
      'after features/audit/store.ts insertAfter',
      'before features/event/write-store.ts record',
      'after features/event/write-store.ts record',
      'before send modifyprivacystatus',
      'after send modifyprivacystatus',
      'reply send modifyprivacystatus',
      'before features/audit/store.ts insertAfter (2)',
      'after features/audit/store.ts insertAfter (2)',
      'before features/event/store.ts revise',
      'after features/event/store.ts revise',
    ],
    names: (name) => [`${name}.com`],
    run: setPrivacy,
  },
  // A comparison finds a domain that was bought elsewhere.
  event: {
    points: [
      'before features/event/store.ts changeStates',
      'after features/event/store.ts changeStates',
      'before features/event/log.ts insertEvents',
      'after features/event/log.ts insertEvents',
      'before features/event/store.ts publishSome',
      'after features/event/store.ts publishSome',
      'before send webhook',
      'after send webhook',
      'reply send webhook',
      'before features/webhook/store.ts save',
      'after features/webhook/store.ts save',
      'before features/webhook/attempt-store.ts addAttempt',
    ],
    async run({ clients, admin, hasAccepted }, name) {
      const domain = `${name}.com`;
      clients.foreign.push(domain);
      await admin('POST', '/domains', { name: domain });
      while (!hasAccepted(domain)) await sleep(100);
    },
  },
};
