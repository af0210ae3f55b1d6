import { fileURLToPath } from 'node:url';
import { type PoolOptions, ThreadsPoolWorker, type Vite } from 'vitest/node';

type Listener = Parameters<ThreadsPoolWorker['on']>[1];

/** A thread that serves all runs of a process, so that a module is imported once and not once for each mutant. */
class OneThread extends ThreadsPoolWorker {
  override readonly name = 'one-thread';
  protected override readonly entrypoint = fileURLToPath(new URL('thread.ts', import.meta.url));
  readonly #listeners: [event: string, listener: Listener][] = [];
  #isStarted = false;

  override async start(): Promise<void> {
    if (this.#isStarted) return;
    await super.start();
    this.#isStarted = true;
    super.on('exit', () => {
      this.#isStarted = false;
    });
  }

  /** Ends a run. The thread continues. */
  override async stop(): Promise<void> {
    for (const [event, listener] of this.#listeners.splice(0)) this.off(event, listener);
  }

  end(): Promise<void> {
    return super.stop();
  }

  override on(event: string, listener: Listener): void {
    this.#listeners.push([event, listener]);
    super.on(event, listener);
  }
}

/** A plugin of Vitest, because Stryker sets the pool after the configuration file, and knows only those of Vitest. */
export function oneThread(): Vite.Plugin {
  return {
    name: 'one-thread',
    configureVitest({ project, vitest }) {
      let thread: OneThread | undefined;
      const createPoolWorker = (options: PoolOptions) => {
        thread ??= new OneThread(options);
        return thread;
      };
      const poolRunner = { name: 'one-thread', createPoolWorker };
      Object.assign(project.config, { pool: poolRunner.name, poolRunner });
      vitest.onClose(() => thread?.end());
    },
  };
}
