import { existsSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** In memory where the system has such a folder: a sync to the disk takes longer than most tests. */
const parent = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();

/** A new folder for files that need not survive a loss of power. */
export const newFolder = (name: string): Promise<string> => mkdtemp(join(parent, `${name}-`));
