import type { EventEmitter } from 'node:events';

/** The outputs of a process. */
interface Outputs {
  readonly stdout: EventEmitter;
  readonly stderr: EventEmitter;
}

/** Output that its reader does not read, as after `| head`, is dropped. Without a listener it would end the program. */
export function dropUnreadOutput({ stdout, stderr }: Outputs): void {
  for (const stream of [stdout, stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
    });
  }
}
