import { parseDomainName } from '../../src/kernel/domain-name.ts';
import type { RequestedChange } from './change-operators.ts';
import type { Random } from './random.ts';
import { firstSettings, type Settings } from './service.ts';

/** A client that starts a job. */
export interface ChangeOperator extends RequestedChange {
  readonly startsAfterMs: number;
  /** Whether it subscribes to the progress. */
  readonly follows: boolean;
  /** From the start; null for a client that does not cancel. */
  readonly cancelsAfterMs: number | null;
  /** How often it starts the domains again that were not changed. */
  readonly retries: number;
}

/** The jobs of a run that change many domains, and how the processes work on them. */
export interface ChangeWeather {
  readonly operators: readonly ChangeOperator[];
  /** Domains of the account from the start. */
  readonly owned: readonly string[];
  /** Changes at the control panel. */
  readonly byHand: readonly {
    readonly atMs: number;
    readonly domain: string;
    readonly settings: Partial<Settings>;
  }[];
  /** Domains that a process works on at a time. */
  readonly together: number;
  readonly leaseMs: number;
}

export const noChanges: ChangeWeather = {
  operators: [],
  owned: [],
  byHand: [],
  together: 1,
  leaseMs: 20_000,
};

const replaceNameServer = {
  from: parseDomainName(firstSettings.nameServers[0] ?? ''),
  to: parseDomainName('ns1.replaced.net'),
};

/** What a second job changes. */
const secondChanges: readonly RequestedChange['change'][] = [
  { privacyProtected: true },
  { privacyProtected: true },
  { setNameServers: ['ns1.second.net'] },
  { replaceNameServer },
  { replaceNameServer },
  { replaceNameServer },
];

/** What an operator sets by hand in place of a job. */
function settingsOf(change: RequestedChange['change']): Partial<Settings> {
  if ('privacyProtected' in change) return change;
  if ('setNameServers' in change) return { nameServers: change.setNameServers };
  return { nameServers: [change.replaceNameServer.to] };
}

const absent = 'absent-0.com';

/** Chooses one or two jobs, which share some domains. No two jobs set the same value, so that each call shows its job. */
export function planChanges(random: Random): ChangeWeather {
  const owned = Array.from({ length: 2 + random.index(4) }, (_, at) => `owned-${at}.com`);
  const hosts = { key: 'c1', change: { setNameServers: ['ns1.first.net', 'ns2.first.net'] } };
  const second = { key: 'c2', change: random.pick(secondChanges) };
  const names = () => [
    ...owned.filter(() => random.chance(0.8)),
    ...(random.chance(0.1) ? [absent] : []),
  ];
  const jobs = random.pick([[hosts], [second], [hosts, second]]).map((job) => ({
    ...job,
    names: names(),
  }));
  const requests = Array.from({ length: random.index(3) }, () => random.pick(jobs));
  const settings = (): Partial<Settings> => {
    if (random.chance(0.2)) return settingsOf(random.pick(jobs).change);
    return random.chance(0.2)
      ? { privacyProtected: random.chance(0.5) }
      : { nameServers: [...firstSettings.nameServers, `ns${random.index(9)}.by-hand.net`] };
  };
  return {
    operators: [...jobs, ...requests].map((job) => ({
      ...job,
      startsAfterMs: random.between(0, 20_000),
      follows: random.chance(0.4),
      cancelsAfterMs: random.chance(0.4) ? random.between(0, random.pick([1_000, 30_000])) : null,
      retries: random.index(3),
    })),
    owned,
    byHand: Array.from({ length: random.index(6) }, () => ({
      atMs: random.between(0, 90_000),
      domain: random.pick(owned),
      settings: settings(),
    })),
    together: random.pick([1, 1, 2, 4]),
    leaseMs: random.pick([6_000, 20_000, 60_000]),
  };
}
