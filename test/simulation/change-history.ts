import type { ChangeValue } from '../../src/features/bulk-change/change.ts';
import type { ChangeItem, ChangeItemState } from '../../src/features/bulk-change/change-job.ts';
import type { Fault } from '../../src/kernel/faults.ts';
import type { CountedJob } from '../../src/modules/job/service.ts';
import type { JobProgress } from '../../src/modules/job/view.ts';
import type { RequestedChange } from './change-operators.ts';
import type { Service, Settings } from './service.ts';
import type { SharedStore } from './store.ts';
import type { World } from './world.ts';

type Row = Readonly<Record<string, unknown>>;

/** What the checks of jobs use of those of purchases. */
interface ChangeChecks {
  readonly world: World;
  readonly store: SharedStore;
  readonly service: Service;
  readonly count: (what: string) => void;
  readonly checkNoSecret: (what: string, value: unknown) => void;
  readonly staleMs: number;
  /** Checks the approval of a job when a change of it is sent. */
  readonly sentWith: (jobId: string, domain: string) => void;
}

/** The work of a process on a domain, from the time when it took it. */
interface Attempt {
  /** Of the process; another one after a restart. */
  readonly engine: string;
  readonly takenAtMs: number;
  /** A process that was too slow never releases the domain. */
  isReleased: boolean;
}

/** A domain of a job. */
interface Line {
  readonly name: string;
  readonly domain: string;
  readonly wanted: RequestedChange['change'];
  readonly createdAtMs: number;
  row: Row;
  readonly attempts: Attempt[];
  /** The calls of each process about it while it works on it. */
  readonly calls: Map<string, { reads: number; changes: number }>;
  /** Whether a call reaches the service, since the job or a retry started it. */
  isSent: boolean;
  /** When the process took it that sent it last; null when it was never sent. */
  sentByTakeAtMs: number | null;
}

const maxCallsOfAttempt = 2;
const retryable: ReadonlySet<unknown> = new Set(['FAILED', 'UNKNOWN', 'CANCELLED']);
const lineOf = (row: Row): string => `${row.job_id}:${row.position}`;

const hostsText = (hosts: readonly string[]) => hosts.toSorted().join();
const textOf = ({ nameServers }: Pick<ChangeValue, 'nameServers'>) => hostsText(nameServers ?? []);
const isValue = (value: ChangeValue) => (settings: Partial<Settings>) =>
  value.nameServers
    ? textOf(settings) === textOf(value)
    : settings.privacyProtected === value.privacyProtected;

type Wanted = RequestedChange['change'];

/** Whether a domain with the settings needs no change. */
const isWanted = (wanted: Wanted) => (settings: Settings) => {
  if ('privacyProtected' in wanted) return settings.privacyProtected === wanted.privacyProtected;
  if ('setNameServers' in wanted) return textOf(settings) === hostsText(wanted.setNameServers);
  return !settings.nameServers.includes(wanted.replaceNameServer.from);
};

/** Whether a call with the value makes the change. No two jobs of a run set the same host. */
const isMadeBy = (wanted: Wanted, { nameServers, privacyProtected }: ChangeValue): boolean => {
  if ('privacyProtected' in wanted) return privacyProtected === wanted.privacyProtected;
  if (!nameServers) return false;
  if ('setNameServers' in wanted)
    return hostsText(nameServers) === hostsText(wanted.setNameServers);
  return nameServers.includes(wanted.replaceNameServer.to);
};

/** Whether the hosts are those of the settings after the change. */
const isResult = (wanted: Wanted, hosts: readonly string[]) => (settings: Settings) => {
  if (!('replaceNameServer' in wanted)) return true;
  const { from, to } = wanted.replaceNameServer;
  return (
    settings.nameServers.includes(from) &&
    hostsText(settings.nameServers.map((host) => (host === from ? to : host))) === hostsText(hosts)
  );
};

/**
 * Checks changes of many domains against the promises C1 to C8, by the true state of the service and of the store.
 *
 * - C1: Every domain of a bulk change ends. Only a retry starts an ended domain again, and only a domain that is
 *   `FAILED`, `UNKNOWN` or `CANCELLED`.
 * - C2: A gateway sends the change at most twice each time it takes the domain. It reads the domain before each
 *   call, unless the call before never left the gateway.
 * - C3: A domain that is `SUCCEEDED` or `UNCHANGED` had the new value at a time since the gateway took it.
 * - C4: The registrar makes no change of a domain that is `FAILED` or `UNCHANGED`. It receives none of a
 *   `CANCELLED` domain since the bulk change, or its last retry, started it.
 * - C5: `before` of a `SUCCEEDED` domain is a value that it had since a gateway took it for the last call, also
 *   when a crash interrupted the bulk change before.
 * - C6: The number of changed domains is at most the number of domains that had the new value, and never falls.
 * - C7: The same key is the same bulk change, and its domains are those of the request.
 * - C8: The name servers that a replacement sends are those that the domain had, but for the replaced one.
 *
 * Reads may be some seconds stale, and other parties change the same domains.
 */
export function createChangeHistory({
  world,
  store,
  service,
  count,
  checkNoSecret,
  staleMs,
  sentWith,
}: ChangeChecks) {
  const lines = new Map<string, Line>();
  const engineOf = new Map<string, string>();
  /** The highest number of changed domains that was reported, by job. */
  const succeeded = new Map<string, number>();
  const idOfKey = new Map<string, string>();

  const linesOf = (id: string) => [...lines.values()].filter(({ row }) => row.job_id === id);
  const hadWanted = ({ domain, wanted }: Line, fromMs: number) =>
    service.had(domain, fromMs - staleMs, isWanted(wanted));

  const checkEnd = (line: Line, state: unknown, before: ChangeValue | null) => {
    const { name, domain, attempts, sentByTakeAtMs } = line;
    const lastTakeAtMs = attempts.at(-1)?.takenAtMs ?? 0;
    const isMade = service.executedChanges.has(name);
    if ((state === 'SUCCEEDED' || state === 'UNCHANGED') && !hadWanted(line, lastTakeAtMs)) {
      world.violate('C3', `${name} is ${state}, and ${domain} has another value`);
    }
    if ((state === 'FAILED' || state === 'UNCHANGED') && isMade) {
      world.violate('C4', `${name} is ${state}, and the service did it`);
    }
    if (state === 'CANCELLED' && line.isSent) {
      world.violate('C4', `${name} is CANCELLED, and was sent`);
    }
    if (state !== 'SUCCEEDED') return;
    const fromMs = (sentByTakeAtMs ?? attempts[0]?.takenAtMs ?? 0) - staleMs;
    if (!before || !service.had(domain, fromMs, isValue(before))) {
      world.violate('C5', `${name} reports ${JSON.stringify(before)} as the value before`);
    }
  };

  const changed = (line: Line, row: Row, last: Row | undefined) => {
    if (last?.state === row.state) return;
    world.trace(`item ${line.name} is ${row.state} ${row.outcome ?? ''}`);
    if (last?.state === 'DONE') {
      line.isSent = false;
      if (row.state !== 'WAITING' || !retryable.has(last.outcome)) {
        world.violate('C1', `${line.name} had ended as ${last.outcome}, and is ${row.state}`);
      }
    }
    if (row.state !== 'DONE') return;
    count(`change ended ${row.outcome}`);
    checkEnd(line, row.outcome, JSON.parse(String(row.details)).before ?? null);
  };

  const known = (row: Row): Line => {
    const name = lineOf(row);
    const line = lines.get(name) ?? {
      name,
      domain: String(row.domain),
      wanted: JSON.parse(String(row.options)).change,
      createdAtMs: world.nowMs(),
      row: { ...row, fence: 0, state: 'WAITING' },
      attempts: [],
      calls: new Map(),
      isSent: false,
      sentByTakeAtMs: null,
    };
    lines.set(name, line);
    return line;
  };

  const callsOf = ({ calls }: Line, engine: string) => {
    const found = calls.get(engine) ?? { reads: 0, changes: 0 };
    calls.set(engine, found);
    return found;
  };
  const attemptsOf = (line: Line | undefined, engine: string) =>
    line?.attempts.filter((attempt) => attempt.engine === engine) ?? [];
  const isOpen = ({ isReleased }: Attempt) => !isReleased;

  return {
    /** Compares the items with their last rows, after each statement of the process that may have changed them. */
    written(process: string): void {
      for (const row of store.rows(
        "select job_items.*, options from job_items join jobs on jobs.id = job_id where jobs.kind = 'CHANGE'",
      )) {
        const line = known(row);
        const { row: last, attempts } = line;
        const latest = attempts.at(-1);
        if (Number(row.fence) > Number(last.fence)) {
          const engine = String(row.owner);
          engineOf.set(process, engine);
          attempts.push({ engine, takenAtMs: world.nowMs(), isReleased: false });
        } else if (row.owner === null && latest) {
          latest.isReleased = true;
        }
        line.row = row;
        changed(line, row, last);
      }
    },

    /** A read of a domain by the process. */
    read(process: string, domain: string): void {
      const engine = engineOf.get(process) ?? '';
      for (const line of lines.values()) {
        const isTaken = line.domain === domain && attemptsOf(line, engine).some(isOpen);
        if (isTaken) callsOf(line, engine).reads += 1;
      }
    },

    /** Checks a change when it is sent. Returns its item. */
    sent(process: string, fields: Readonly<Record<string, unknown>>): string {
      const { domain, nameservers, status } = fields;
      const value = nameservers
        ? { nameServers: Object.values(nameservers) }
        : { privacyProtected: status === true };
      const line = [...lines.values()].find(
        (one) => one.domain === domain && isMadeBy(one.wanted, value),
      );
      const engine = engineOf.get(process) ?? '';
      const mine = attemptsOf(line, engine);
      const open = mine.filter(isOpen);
      if (!line || open.length === 0) {
        world.violate('C2', `${process} changes ${domain}, and did not take it`);
        return 'no job';
      }
      const { name, row } = line;
      count('changes sent');
      sentWith(String(row.job_id), line.domain);
      if (row.outcome === 'CANCELLED') world.violate('C4', `${name} is sent, and is CANCELLED`);
      const calls = callsOf(line, engine);
      calls.changes += 1;
      if (calls.changes > calls.reads) {
        world.violate('C2', `${name} is sent without a read before it`);
      }
      if (calls.changes > maxCallsOfAttempt * mine.length) {
        world.violate('C2', `${name} is sent ${calls.changes} times by ${process}`);
      }
      const takenAtMs = Math.min(...open.map((attempt) => attempt.takenAtMs));
      const isFresh = isResult(line.wanted, value.nameServers ?? []);
      if (!service.had(line.domain, takenAtMs - staleMs, isFresh)) {
        world.violate('C8', `${name} sends ${JSON.stringify(value)}, which loses other changes`);
      }
      line.sentByTakeAtMs = Math.max(line.sentByTakeAtMs ?? 0, takenAtMs);
      return name;
    },

    /** The course of the call. After one that never left the gateway the next one needs no read before it. */
    goes(
      process: string,
      name: string,
      { hasLeft, arrives }: { readonly hasLeft: boolean; readonly arrives: boolean },
    ): void {
      const line = lines.get(name);
      if (!line) return;
      if (line.isSent) count('changes sent again');
      line.isSent ||= arrives;
      if (!hasLeft) callsOf(line, engineOf.get(process) ?? '').reads += 1;
    },

    /** The stored job of a key before the request, for `created`. */
    before: (key: string): string | null => {
      const [job] = store.rows("select id from jobs where key = ? and kind = 'CHANGE'", key);
      return job ? String(job.id) : null;
    },

    created(
      { key, names }: RequestedChange,
      before: string | null,
      { job, errors }: { readonly job: CountedJob | null; readonly errors: readonly Fault[] },
    ): void {
      checkNoSecret(
        'a response to a job',
        errors.map((fault) => ({ ...fault, message: fault.message })),
      );
      for (const { code } of errors) count(`job error ${code}`);
      if (!job) {
        if (before !== null && !errors.some(({ code }) => code === 'JOURNAL_UNAVAILABLE')) {
          world.violate('C7', `${key} was known and is refused`);
        }
        return;
      }
      const { id } = job.job;
      const expected = idOfKey.get(key) ?? before ?? id;
      idOfKey.set(key, id);
      count('jobs started');
      if (expected !== id) world.violate('C7', `${key} has the jobs ${expected}, ${id}`);
      const domains = linesOf(id).map(({ domain }) => domain);
      if (domains.toSorted().join() !== names.toSorted().join()) {
        world.violate('C7', `${id} differs from the request`);
      }
    },

    /** The highest number of changed domains that was reported. */
    succeeded: (id: string): number => succeeded.get(id) ?? 0,

    /** Checks a report that was requested when `floor` domains were changed. A report without items has the progress only. */
    reported(
      id: string,
      progress: JobProgress<ChangeItemState>,
      { floor, items }: { readonly floor: number; readonly items: readonly ChangeItem[] },
    ): void {
      world.trace(`reported ${id} ${JSON.stringify(progress)}`);
      const all = linesOf(id);
      const done = progress.SUCCEEDED + progress.UNCHANGED;
      const made = all.filter((line) => hadWanted(line, line.createdAtMs)).length;
      if (done > made) world.violate('C6', `${id} has ${done} changed domains, and ${made} are`);
      if (done < floor) world.violate('C6', `${id} had ${floor} changed domains, and has ${done}`);
      const sum = Object.values(progress).reduce((one, other) => one + other, 0);
      if (sum !== all.length)
        world.violate('C6', `${id} has ${all.length} domains, and not ${sum}`);
      succeeded.set(id, Math.max(succeeded.get(id) ?? 0, done));
      checkNoSecret('a job', items);
      for (const { domain, state, before } of items) {
        const line = all.find((one) => one.domain === domain);
        // A retry may have started it since.
        if (line?.row.outcome === state) checkEnd(line, state, before);
        else if (state === 'SUCCEEDED' || state === 'UNCHANGED') {
          world.violate('C6', `${domain} was reported as ${state}, and did not end`);
        }
      }
    },

    /** Checks at the end of the run that every job has ended. It also checks the calls made after the last check. */
    close(): void {
      for (const line of lines.values()) {
        const { name, row } = line;
        if (row.state !== 'DONE') world.violate('C1', `${name} is still ${row.state}`);
        else checkEnd(line, row.outcome, JSON.parse(String(row.details)).before ?? null);
        checkNoSecret('an ended item', row);
      }
    },
  };
}
