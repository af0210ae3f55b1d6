import {
  Client as ModernClient,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Client as EarlierClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as EarlierTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { bareEnvironment } from '../support/process.ts';

/** The result of a tool. */
export interface Called {
  readonly text: string;
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

const info = { name: 'a-test', version: '1.0.0' };

const calledOf = (result: unknown): Called => {
  const { content, structuredContent, isError } = result as {
    content: readonly { text: string }[];
    structuredContent: unknown;
    isError?: boolean;
  };
  return { text: content[0]?.text ?? '', data: structuredContent, isError: isError === true };
};

const toolClient = (client: ModernClient): ToolClient => ({
  list: async () => (await client.listTools()).tools,
  call: async (name, args = {}, signal) =>
    calledOf(await client.callTool({ name, arguments: { ...args } }, signal ? { signal } : {})),
  close: () => client.close(),
});

/** A client of the current SDK, with the current revision of the protocol. */
export async function connectModern(url: string, headers: Headers = {}): Promise<ToolClient> {
  const client = new ModernClient(info, { versionNegotiation: { mode: 'auto' } });
  const requestInit = { headers: { ...headers } };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit }));
  return toolClient(client);
}

/** A client of the SDK before, with a revision of the protocol that has a handshake. */
export async function connectEarlier(url: string, headers: Headers = {}): Promise<ToolClient> {
  const client = new EarlierClient(info);
  const requestInit = { headers: { ...headers } };
  // The types of that package do not know exact optional members.
  const transport = new EarlierTransport(new URL(`${url}/mcp`), { requestInit }) as never;
  await client.connect(transport);
  return {
    list: async () => (await client.listTools()).tools,
    call: async (name, args = {}) =>
      calledOf(await client.callTool({ name, arguments: { ...args } })),
    close: () => client.close(),
  };
}

/** Starts the program for standard input and output, and a client of it. */
export async function connectStdio(
  env: Readonly<Record<string, string>>,
  mode: 'auto' | 'legacy' = 'auto',
): Promise<ToolClient & { readonly log: () => string }> {
  const run = new URL('../../src/cli/run.mjs', import.meta.url).pathname;
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [run, 'cli/mcp'],
    env: definedOf({ ...bareEnvironment, ...env }),
    stderr: 'pipe',
  });
  let log = '';
  transport.stderr?.on('data', (chunk) => {
    log += chunk;
  });
  const client = new ModernClient(info, { versionNegotiation: { mode } });
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
