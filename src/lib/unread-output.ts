/** Output that its reader does not read, as after `| head`, is dropped. Without a listener it would end the program. */
export function dropUnreadOutput(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
    });
  }
}
