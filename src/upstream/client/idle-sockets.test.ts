import type { ServerResponse } from 'node:http';
import { describe, expect, onTestFinished, test } from 'vitest';
import { faultOf } from '../../../test/support/upstream/clients.ts';
import { startUpstream } from '../../../test/support/upstream/upstream-server.ts';
import { createTransport } from './transport.ts';

describe('an attempt ends with a timeout and an unknown outcome when no data arrives for its deadline', () => {
  test.concurrent.each([
    ['head', () => undefined],
    ['body', (response: ServerResponse) => response.writeHead(200).write('{')],
  ])('before the end of the %s', async (_, answer) => {
    const upstream = await startUpstream((_request, response) => answer(response));
    const { send, close } = createTransport(upstream.origin, 1);
    onTestFinished(() => void close());
    const stop = new AbortController().signal;

    const fault = await faultOf(
      send({ method: 'POST', path: '/', headers: {}, stop, deadlineMs: 20 }),
    );

    expect(fault).toMatchObject({ code: 'UPSTREAM_TIMEOUT', executed: 'UNKNOWN' });
    expect(upstream.attempts).toHaveLength(1);
  });
});
