import {
  Client,
  type OAuthClientProvider,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { bareEnvironment } from '../../../../test/support/process.ts';

/** The result of a tool. */
export interface Called {
  readonly text: string;
  /** The data of its block; an empty object without one. */
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into results of any shape
  readonly data: any;
  readonly isError: boolean;
}

/** A client of the SDK. */
export interface ToolClient {
  list(): Promise<readonly { readonly name: string; readonly [member: string]: unknown }[]>;
  /** Rejects when the call fails in the protocol. */
  call(name: string, args?: object, signal?: AbortSignal): Promise<Called>;
  close(): Promise<void>;
}

type Headers = Readonly<Record<string, string>>;

export const info = { name: 'a-test', version: '1.0.0' };

export const calledOf = (result: unknown): Called => {
  const { content, isError } = result as {
    content: readonly { text: string }[];
    isError?: boolean;
  };
  const text = content[0]?.text ?? '';
  return { text, data: JSON.parse(text.split(/<\/?data>/)[1] ?? '{}'), isError: isError === true };
};

/** The first sentences of a result, with the reason of a refusal. */
export const firstLine = ({ text }: Pick<Called, 'text'>): string => text.split('\n', 1).join();

/** The handle in the text of a quote or of a preview. */
export function handleIn({ text }: Called): string {
  const handle = /"handle": "([0-9a-hjkmnp-tv-z]{16})"/.exec(text)?.[1];
  if (!handle) throw new Error(text);
  return handle;
}

/** Sends one message without a client of the SDK; also returns the bytes of the whole response. */
export async function postMessage(url: string, method: string, params: object) {
  const response = await fetch(`${url}/mcp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  const body = await response.text();
  return { bytes: Buffer.byteLength(body), result: JSON.parse(body).result };
}

const toolClient = (client: Client): ToolClient => ({
  list: async () => (await client.listTools()).tools,
  call: async (name, args = {}, signal) =>
    calledOf(await client.callTool({ name, arguments: { ...args } }, signal ? { signal } : {})),
  close: () => client.close(),
});

const connectHttp =
  (mode: 'auto' | 'legacy') =>
  async (
    url: string,
    headers: Headers = {},
    authProvider?: OAuthClientProvider,
  ): Promise<ToolClient> => {
    const client = new Client(info, { versionNegotiation: { mode } });
    const options = {
      requestInit: { headers: { ...headers } },
      ...(authProvider && { authProvider }),
    };
    await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), options));
    return toolClient(client);
  };

/** With the current revision of the protocol. */
export const connectModern = connectHttp('auto');

/** With a revision of the protocol that has a handshake. */
export const connectEarlier = connectHttp('legacy');

/** Starts the program for standard input and output, and a client of it. */
export async function connectStdio(
  env: Readonly<Record<string, string>>,
  mode: 'auto' | 'legacy' = 'auto',
): Promise<ToolClient & { readonly log: () => string }> {
  const run = new URL('../../../cli/run.mjs', import.meta.url).pathname;
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [run, 'src/cli/feature', 'mcp'],
    env: definedOf({ ...bareEnvironment, ...env }),
    stderr: 'pipe',
  });
  let log = '';
  transport.stderr?.on('data', (chunk) => {
    log += chunk;
  });
  const client = new Client(info, { versionNegotiation: { mode } });
  await client.connect(transport);
  return { ...toolClient(client), log: () => log };
}

const definedOf = (env: Readonly<Record<string, string | undefined>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );

/** The clients over HTTP, for `describe.each`. */
export const httpClients = [
  ['the current protocol', connectModern],
  ['an earlier protocol', connectEarlier],
] as const;
