import type { PortfolioWeather } from './portfolio-weather.ts';
import { epochMs } from './process-clock.ts';
import { firstSettings, type Holding, type Service, yearMs } from './service.ts';
import type { World } from './world.ts';

export type Row = Readonly<Record<string, unknown>>;
type Text = string | null;

interface ChainOptions {
  readonly world: World;
  readonly service: Service;
  readonly weather: PortfolioWeather;
}

/** What the events of a domain show. */
interface Chain {
  isKnown: boolean;
  /** Whether an event showed that. */
  isCertain: boolean;
  /** When the domain was added. */
  sinceMs: number;
  /** The last value of each field that was in an event since, and when that was stored. */
  readonly fields: Map<Field, { readonly value: Text; readonly atMs: number }>;
  /** The limits of `EXPIRING` since the last change of the expiry. */
  limits: Set<Text>;
}

export type Field = 'state' | 'expiresAt' | 'nameServers' | 'transferLocked' | 'privacyProtected';
export const fieldOfType: Readonly<Record<string, Field>> = {
  STATE_CHANGED: 'state',
  EXPIRY_CHANGED: 'expiresAt',
  NAME_SERVERS_CHANGED: 'nameServers',
  TRANSFER_LOCKED: 'transferLocked',
  TRANSFER_UNLOCKED: 'transferLocked',
  PRIVACY_CHANGED: 'privacyProtected',
};
const eventsOfPurchases: ReadonlySet<string> = new Set([
  ...['PURCHASE_SETTLED', 'TRANSFER_COMPLETED', 'TRANSFER_REJECTED'],
]);
const fields = [...new Set(Object.values(fieldOfType))];

const states: Readonly<Record<string, string>> = {
  Active: 'ACTIVE',
  PendingDelete: 'REDEMPTION',
  WaitingForOutgoingTransfer: 'PENDING_TRANSFER_OUT',
  WaitingForIncomingTransfer: 'PENDING_TRANSFER_IN',
  TransferRejectedFromOpposed: 'TRANSFER_FAILED',
  TransferCancelledFromClient: 'TRANSFER_FAILED',
};

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** Follows the events of each domain from its first state to its last one. */
export function createEventChains({ world, service, weather }: ChainOptions) {
  const { clockErrorMs } = weather;
  const chains = new Map<string, Chain>();
  let beganAtMs: number | null = null;

  /**
   * The longest time between the read of a value and the event with it. A row by a clock that is ahead is the newest for a while.
   */
  const storedWithinMs = weather.maxPauseMs + 2 * minuteMs + 2 * clockErrorMs;

  const expiryOf = ({ expiresMs, registeredMs }: Holding) => expiresMs ?? registeredMs + yearMs;
  /** The possible texts of a field; the state depends on the clock of the gateway. */
  const textsOf = (holding: Holding, field: Field, atMs = world.nowMs()): readonly Text[] => {
    switch (field) {
      case 'expiresAt':
        return [new Date(epochMs + expiryOf(holding)).toISOString()];
      case 'nameServers':
        // The gateway shows each host once.
        return [[...new Set(holding.nameServers ?? firstSettings.nameServers)].join(' ')];
      case 'transferLocked':
        return [String(holding.transferLocked ?? true)];
      case 'privacyProtected':
        return [String(holding.privacyProtected ?? firstSettings.privacyProtected)];
      case 'state': {
        const state = states[holding.status] ?? holding.status;
        if (state !== 'ACTIVE') return [state];
        const sinceMs = atMs - expiryOf(holding);
        return [
          ...(sinceMs < clockErrorMs + storedWithinMs + hourMs ? [state] : []),
          ...(sinceMs > -clockErrorMs ? ['EXPIRED'] : []),
        ];
      }
    }
  };
  /** Whether a reply showed this in a time. */
  const wasShown = (
    domain: string,
    { fromMs = -Infinity, untilMs = Infinity },
    isSuch: (holding: Holding | null) => boolean,
  ) =>
    (service.replies.get(domain) ?? []).some(
      ({ atMs, holding }) => fromMs <= atMs && atMs <= untilMs && isSuch(holding),
    );
  const has = (field: Field, value: Text, atMs?: number) => (holding: Holding | null) =>
    holding !== null && textsOf(holding, field, atMs).includes(value);

  const chainOf = (domain: string): Chain => {
    const chain = chains.get(domain) ?? {
      ...{
        isKnown: false,
        isCertain: false,
        sinceMs: world.nowMs(),
        fields: new Map(),
        limits: new Set<Text>(),
      },
    };
    if (!chains.has(domain)) {
      // A domain of the first comparison is no event.
      chain.isKnown = wasShown(domain, { untilMs: beganAtMs ?? Infinity }, (one) => one !== null);
      if (chain.isKnown) chain.sinceMs = beganAtMs ?? world.nowMs();
    }
    chains.set(domain, chain);
    return chain;
  };

  /** When the difference was found, by the clock of the process; the event may be stored long after it. */
  const foundAtMs = ({ at }: Row) => Math.min(world.nowMs(), Date.parse(String(at)) - epochMs);

  const addMembership = (chain: Chain, domain: string, row: Row) => {
    const type = String(row.type);
    const isAdded = type === 'DOMAIN_ADDED';
    if (!wasShown(domain, {}, (holding) => (holding !== null) === isAdded)) {
      world.violate('D2', `${domain} has ${type}, which no reply showed`);
    }
    if (chain.isCertain && chain.isKnown === isAdded) {
      world.violate('D2', `${domain} has ${type} a second time`);
    }
    chain.isKnown = isAdded;
    chain.isCertain = true;
    chain.sinceMs = foundAtMs(row);
    chain.fields.clear();
    chain.limits = new Set();
  };

  const addField = (chain: Chain, domain: string, field: Field, row: Row) => {
    const [before, after] = [row.before as Text, row.after as Text];
    if (before === after) world.violate('D2', `${domain} has an event without a difference`);
    const last = chain.fields.get(field);
    if (last && before !== last.value) {
      world.violate(
        'D1',
        `${field} of ${domain} was ${last.value}, and its next event begins with ${before}`,
      );
    }
    // The domain was not expired when the state before was found.
    const wasBefore = (holding: Holding | null) =>
      has(field, before)(holding) || has(field, before, -Infinity)(holding);
    if (!last && !wasShown(domain, {}, wasBefore)) {
      world.violate('D2', `${field} of ${domain} was never ${before}`);
    }
    // The time alone makes a domain expire.
    const fromMs = after === 'EXPIRED' ? -Infinity : (last?.atMs ?? chain.sinceMs) - storedWithinMs;
    // The reply of a write by the gateway shows the value too.
    const wasWritten =
      row.source === 'GATEWAY' && service.holdingsSince(domain, fromMs).some(has(field, after));
    if (!wasWritten && !wasShown(domain, { fromMs }, has(field, after))) {
      world.violate(
        'D2',
        `${field} of ${domain} is ${after}, which no reply showed since its last event`,
      );
    }
    chain.fields.set(field, { value: after, atMs: foundAtMs(row) });
    if (field === 'expiresAt') chain.limits = new Set();
  };

  const addLimit = (chain: Chain, domain: string, limit: Text) => {
    if (chain.limits.has(limit)) {
      world.violate('D2', `${domain} has passed the limit of ${limit} days a second time`);
    }
    chain.limits.add(limit);
    const leftMs = (holding: Holding) => expiryOf(holding) - world.nowMs();
    const maxMs = Number(limit) * dayMs + clockErrorMs;
    if (!wasShown(domain, {}, (holding) => holding !== null && leftMs(holding) <= maxMs)) {
      world.violate('D2', `${domain} does not expire within ${limit} days`);
    }
  };

  /** Without an event the first state has the value. A field that could not be read has its first value later. */
  const checkEnd = (chain: Chain, domain: string, field: Field, holding: Holding) => {
    const last = chain.fields.get(field);
    const texts = textsOf(holding, field);
    const canBeUnread = weather.list.oddRows > 0;
    const untilMs = canBeUnread ? Infinity : chain.sinceMs + storedWithinMs;
    const firstAtMs = canBeUnread ? world.nowMs() : chain.sinceMs;
    const isFound = last
      ? texts.includes(last.value)
      : texts.some((text) => wasShown(domain, { untilMs }, has(field, text, firstAtMs)));
    if (isFound) return;
    const end = last ? last.value : 'none';
    world.violate('D1', `${field} of ${domain} is ${texts.join()}, and its last event has ${end}`);
  };

  return {
    /** The first comparison has ended. */
    begin(): void {
      if (beganAtMs !== null) return;
      beganAtMs = world.nowMs();
      world.trace('the first comparison has ended');
    },

    /** An event that was stored. */
    add(row: Row): void {
      const [domain, type] = [String(row.domain), String(row.type)];
      // A purchase may settle before the first comparison.
      if (row.domain === null || eventsOfPurchases.has(type)) return;
      const field = fieldOfType[type];
      const chain = chainOf(domain);
      if (type === 'DOMAIN_ADDED' || type === 'DOMAIN_REMOVED') addMembership(chain, domain, row);
      else if (type === 'EXPIRING') addLimit(chain, domain, row.after as Text);
      else if (field && !chain.isKnown)
        world.violate('D2', `${domain} has ${type} before it was added`);
      else if (field) addField(chain, domain, field, row);
    },

    /** D1: the events of each domain lead to its true state. */
    close(): void {
      if (beganAtMs === null) world.violate('D1', 'no comparison has ended');
      const { foundIfListedAfterMs, endsAtMs, everyMs } = weather;
      // When the next list leaves a domain out, it is compared once a background read has found it.
      const foundFromMs = endsAtMs - 3 * everyMs;
      for (const [domain, listedAtMs] of service.listings) {
        const [holding] = service.holdingsSince(domain, world.nowMs());
        // A list before that time may have been lost.
        const isFound = listedAtMs.some(
          (atMs) => foundIfListedAfterMs <= atMs && atMs <= foundFromMs,
        );
        if (!holding || !isFound) continue;
        const chain = chainOf(domain);
        if (!chain.isKnown) {
          world.violate('D1', `${domain} is in the account, and no event has added it`);
          continue;
        }
        for (const field of fields) checkEnd(chain, domain, field, holding);
      }
      for (const [domain, chain] of chains) {
        const held = service.holdingsSince(domain, weather.removedIfLeftBeforeMs);
        if (chain.isKnown && held.every((holding) => holding === null)) {
          world.violate('D1', `${domain} left the account, and no event has removed it`);
        }
      }
    },
  };
}
