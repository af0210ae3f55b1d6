import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { tighten } from '../lib/private-files.ts';
import type { Log } from '../observability/log.ts';

/** The files that the gateway writes to DATA_DIR. */
const ownFile = /^(?:(?:sandbox-)?journal|sandbox)\.sqlite(?:-wal|-shm)?$|^keys\.json$/;

const sticky = 0o1000;

/**
 * Removes the access of other users to the files of the gateway in DATA_DIR, which a restored copy may allow, and to the folder
 * when this user owns it and it has no other files. A folder such as `/tmp` is unchanged. Failures are logged.
 */
export function tightenDataFolder(folder: string, log: Log, tightenPath = tighten): void {
  let count = 0;
  let reason: string | null = null;
  for (const path of ownPaths(folder)) {
    try {
      if (tightenPath(path)) count += 1;
    } catch (error) {
      reason ??= String(error);
    }
  }
  if (count > 0) log.warn('other users of the machine cannot read DATA_DIR any longer', { count });
  if (reason !== null) {
    log.warn('other users of the machine may be able to read DATA_DIR', { reason });
  }
}

/** The files of the gateway, and the folder when it is the gateway's alone. None for a folder that cannot be read. */
function ownPaths(folder: string): readonly string[] {
  const userId = process.getuid?.();
  // Windows has no modes.
  if (userId === undefined) return [];
  try {
    const names = readdirSync(folder);
    const files = names.filter((name) => ownFile.test(name));
    const { uid, mode } = lstatSync(folder);
    const isOwn = uid === userId && (mode & sticky) === 0 && files.length === names.length;
    return [...(isOwn ? [folder] : []), ...files.map((name) => join(folder, name))];
  } catch {
    // A missing folder is created with the first file; any other failure is reported by the first use.
    return [];
  }
}
