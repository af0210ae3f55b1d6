import { parentPort } from 'node:worker_threads';
import { init, runBaseTests, setupEnvironment } from 'vitest/worker';

// The thread of test/mutation/one-thread.ts. Vitest's own thread ends after one run; this one serves the next run.

const port = parentPort;
if (!port) throw new Error('This file runs in a thread.');

const serve = (): void => {
  init({
    post: (response) => port.postMessage(response),
    on: (callback) => port.on('message', callback),
    off: (callback) => port.off('message', callback),
    teardown: () => {
      port.removeAllListeners('message');
      serve();
    },
    runTests: (state, traces) => runBaseTests('run', state, traces),
    collectTests: (state, traces) => runBaseTests('collect', state, traces),
    setup: setupEnvironment,
  });
};

serve();
