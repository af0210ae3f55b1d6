import type { EventEmitter } from 'node:events';

/** Output that its reader does not read, as after `| head`, is dropped. Without a listener it would end the program. */
export function dropUnreadOutput(
  streams: readonly EventEmitter[] = [process.stdout, process.stderr],
): void {
  for (const stream of streams) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
    });
  }
}
