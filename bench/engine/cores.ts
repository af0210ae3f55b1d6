import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** The core of the measured server, and that of everything else. */
export interface Cores {
  readonly server: string;
  readonly rest: string;
}

/** Two cores that this process may use; null where it has only one or there is no `taskset`. */
export function findCores(): Cores | null {
  const [server, rest] = allowedCores();
  if (server === undefined || rest === undefined) return null;
  const { status } = spawnSync('taskset', ['-c', server, 'true']);
  return status === 0 ? { server, rest } : null;
}

/** Moves this process, with all its threads, to one core. */
export function moveTo(core: string): void {
  spawnSync('taskset', ['-acp', core, String(process.pid)]);
}

/** `0-2,5` means 0, 1, 2 and 5. */
function allowedCores(): readonly string[] {
  try {
    const status = readFileSync('/proc/self/status', 'utf8');
    const list = /^Cpus_allowed_list:\s*(\S+)/m.exec(status)?.[1] ?? '';
    return list.split(',').flatMap((part) => {
      const [from = '', to = from] = part.split('-');
      const length = Number(to) - Number(from) + 1;
      return Array.from({ length }, (_, at) => String(Number(from) + at));
    });
  } catch {
    return [];
  }
}
