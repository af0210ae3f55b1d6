import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '../simulation/random.ts';
import { type Running, runCommand } from '../support/process.ts';
import { type Deployment, sendQuery } from './deployment.ts';

export type Fleet = ReturnType<typeof createFleet>;

interface FleetOptions {
  readonly deployment: Deployment;
  readonly replicas: number;
  /** Whether the journal is a file, of which backups are made. */
  readonly isFile: boolean;
  readonly random: Random;
  /** Whether a webhook waits for a response. */
  readonly isDelivering: () => boolean;
  /** Aborts when the test has ended. */
  readonly signal: AbortSignal;
}

interface Settled {
  readonly key: string;
  readonly state: string;
}

/** Gateways over one journal that are killed at random moments and started again. */
export function createFleet(options: FleetOptions) {
  const { deployment, replicas, isFile, random, isDelivering, signal } = options;
  const running: (Running | null)[] = Array(replicas).fill(null);
  const backups: { readonly folder: string; readonly settled: readonly Settled[] }[] = [];
  let turn = 0;

  /** A gateway that is running, each in turn; null when none is. */
  const next = (): Running | null => {
    turn += 1;
    const all = running.filter((one) => one !== null);
    return all[turn % all.length] ?? null;
  };
  /** Sends a request until a gateway responds with data. */
  const send = async (query: string, variables: object = {}) => {
    const untilMs = performance.now() + 180_000;
    while (performance.now() < untilMs && !signal.aborted) {
      const gateway = next();
      const data = gateway && (await sendQuery(gateway, query, variables).catch(() => null));
      if (data) return data;
      await sleep(100);
    }
    throw new Error(`No gateway has data for ${query}`);
  };

  const start = async (at: number) => {
    running[at] = await deployment.start();
  };
  const kill = async (at: number) => {
    const killed = running[at];
    running[at] = null;
    await killed?.kill();
  };
  const killAll = () => Promise.all(running.map((_, at) => kill(at)));
  /** Starts a gateway that is killed before it listens or soon afterwards. */
  const startBriefly = async () => {
    const killAfterMs = Math.round(random.between(20, 3_000));
    const gateway = await deployment.start({ killAfterMs }).catch(() => null);
    await gateway?.exitCode;
  };
  const killDuringBackup = async (at: number) => {
    const folder = join(String(deployment.settings.DATA_DIR), `backup-${backups.length}`);
    const { purchases } = await send('{ purchases(last: 100) { nodes { key state } } }');
    const settled = purchases.nodes.filter(({ state }: Settled) => state.endsWith('ED'));
    const copied = runCommand('src/cli/backup', deployment.settings, [folder]);
    await sleep(random.between(0, 1_000));
    await kill(at);
    const { exitCode, stderr } = await copied;
    if (exitCode !== 0) throw new Error(`A backup failed: ${stderr}`);
    backups.push({ folder, settled });
  };

  /** The ways in which gateways end. */
  const endings: readonly ((at: number) => Promise<unknown>)[] = [
    kill,
    killAll,
    async (at) => {
      await kill(at);
      await startBriefly();
      await startBriefly();
    },
    async (at) => {
      running[at]?.signal('SIGTERM');
      await sleep(random.between(0, 600));
      await kill(at);
    },
    async (at) => {
      const stopped = running[at];
      running[at] = null;
      await stopped?.stop();
    },
    async () => {
      for (let wait = 0; wait < 30 && !isDelivering(); wait += 1) await sleep(100);
      await killAll();
    },
    ...(isFile ? [killDuringBackup] : []),
  ];

  return {
    next,
    send,
    /** Starts the gateways, after some that are killed while they create the tables of the journal. */
    async open() {
      for (let at = 0; at < 4; at += 1) await startBriefly();
      await Promise.all(running.map((_, at) => start(at)));
    },
    /** Ends gateways for a time. */
    async endOften(durationMs: number) {
      const untilMs = performance.now() + durationMs;
      while (performance.now() < untilMs) {
        await sleep(random.chance(0.15) ? 9_000 : random.between(100, 4_000));
        await random.pick(endings)(random.index(replicas));
        await Promise.all(running.map((one, at) => one ?? start(at)));
      }
    },
    /** The damages and missing purchases of the backups. */
    readBackups(): readonly string[] {
      return backups.flatMap(({ folder, settled }) => {
        const file = join(folder, 'sandbox-journal.sqlite');
        const copy = new DatabaseSync(file, { readOnly: true });
        const [check] = copy.prepare('pragma integrity_check').all();
        const rows = copy.prepare('select key, state from purchases').all();
        copy.close();
        const states = new Map(rows.map(({ key, state }) => [key, state]));
        const missing = settled.filter(({ key, state }) => states.get(key) !== state);
        return [
          ...(check?.integrity_check === 'ok' ? [] : [`${file} is damaged`]),
          ...missing.map(({ key, state }) => `${file}: ${key} is not ${state}`),
        ];
      });
    },
  };
}
