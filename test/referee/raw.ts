import { startSandbox } from '../../sandbox/server.ts';
import { systemClock, systemRandomness } from '../../src/lib/system.ts';

export interface RawReply {
  readonly status: number;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into bodies of any shape
  readonly body: any;
}

const login = { username: 'demo', password: 'demo-password' };

/** A sandbox, and bare HTTP to it: no client, decoder or type of ours in between. */
export async function startRawSandbox(domains = 40) {
  const { url, close } = await startSandbox({
    file: ':memory:',
    clock: systemClock,
    randomness: systemRandomness,
    domains,
  });
  const send = async (path: string, init: RequestInit): Promise<RawReply> => {
    const response = await fetch(`${url}${path}`, init);
    const text = await response.text();
    return { status: response.status, text, body: text === '' ? undefined : JSON.parse(text) };
  };
  const json = { 'content-type': 'application/json' };
  return {
    url,
    close,
    send,
    /** A Domain API action with the demo login, unless the fields bring their own. */
    act: (action: string, fields: object = {}) =>
      send(`/domain-api/?action=${action}`, {
        method: 'POST',
        headers: json,
        body: JSON.stringify({ ...login, ...fields }),
      }),
    /** An Account API call with the demo token. */
    call: (method: string, path: string, body?: object) =>
      send(`/account-api${path}`, {
        method,
        headers: { authorization: 'Bearer demo-token', ...(body && json) },
        ...(body && { body: JSON.stringify(body) }),
      }),
  };
}
