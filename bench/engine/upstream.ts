import { request } from 'undici';
import { startChild } from './child.ts';

export type Calls = Readonly<Record<string, number>>;

/** The mock upstream in a process of its own. */
export interface Upstream {
  readonly url: string;
  setLatency(ms: number): Promise<void>;
  forgetCalls(): Promise<void>;
  /** By action, since they were last forgotten. */
  calls(): Promise<Calls>;
  stop(): Promise<void>;
}

export async function startUpstream(domains: number, core: string | null): Promise<Upstream> {
  const args = ['--domains', String(domains)];
  const child = await startChild({ file: 'bench/upstream/main.ts', args, core });
  const admin = async (method: string, path: string): Promise<Calls> => {
    const { body } = await request(`${child.url}${path}`, { method });
    return (await body.json()) as Calls;
  };
  return {
    url: child.url,
    setLatency: async (ms) => void (await admin('PUT', `/latency/${ms}`)),
    forgetCalls: async () => void (await admin('DELETE', '/calls')),
    calls: () => admin('GET', '/calls'),
    stop: () => child.stop(),
  };
}
