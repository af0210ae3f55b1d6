import {
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  type ListToolsResult,
  PROTOCOL_VERSION_META_KEY,
  ProtocolError,
  ProtocolErrorCode,
} from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import type { Config } from '../../config/config.ts';
import {
  chooseTenant,
  describeFailure,
  exitCodes,
  print,
  printErrors,
} from '../../console/program.ts';
import type { Caller } from '../../kernel/caller.ts';
import { commandFor, dropUnreadOutput, parseArguments } from '../../lib/programs.ts';
import { systemClock } from '../../lib/system.ts';
import { createLog, standardError } from '../../observability/log.ts';
import type { CommandContext, Hosted } from '../../seam/feature.ts';
import { inProcessHost } from '../../server/http/routes.ts';
import { mcpSettings } from './settings.ts';
import { mcpPath } from './sign-in.ts';
import { createToolServer, implementation } from './tool-server.ts';

const help = `Tools for models over standard input and output (MCP), from a gateway in this process.

Usage: ${commandFor('mcp', '[--tenant name]')}

  --tenant name  The tenant, by its name in TENANTS; required with several, except with MCP_KEY.

The caller is that of MCP_KEY, or has the scopes of MCP_SCOPES. No port is opened for clients. Logs are written to
standard error. The settings are those of the gateway; see ${commandFor('start', '--help')}.
`;

/** How long writing the last lines of the log may take. */
const lastLinesMs = 500;
/** The revision of the protocol between this program and the gateway; clients may use another one. */
const revision = '2026-07-28';

export async function runMcp(context: CommandContext): Promise<void> {
  dropUnreadOutput(process);
  try {
    await run(context);
  } catch (error) {
    const failure = describeFailure(error);
    if (!failure) throw error;
    printErrors('mcp', failure.sentences);
    process.exitCode = failure.exitCode;
  }
}

async function run({ readConfig, startHosted }: CommandContext): Promise<void> {
  const { values } = parseArguments({
    options: { help: { type: 'boolean', short: 'h', default: false }, tenant: { type: 'string' } },
  });
  if (values.help) return print(help);
  const config = readConfig();
  printErrors('mcp', config.warnings);
  const { MCP_KEY: key, MCP_WRITES: writes } = mcpSettings.of(config);
  const isKeyUsed = key !== undefined && config.auth.kind === 'keys';
  const gateway = await startHosted(
    hosted(config),
    createLog({ level: config.observability.logLevel }),
    isKeyUsed ? null : callerOf(config, values.tenant ?? null),
  );
  const forward = createForward(gateway.handle, isKeyUsed ? { 'x-api-key': key.reveal() } : {});
  const connection = serveStdio(
    () =>
      createToolServer({
        writes,
        async list(signal) {
          const { tools } = await forward('tools/list', {}, signal);
          return { tools };
        },
        async call(params, signal) {
          if (!plainName.test(params.name)) throw noSuchTool();
          const { content, isError = false } = await forward('tools/call', params, signal);
          return { content, ...(isError && { isError }) };
        },
      }),
    { maxSubscriptions: 0 },
  );
  const stop = async () => {
    await connection.close();
    await gateway.close();
    await standardError.end(systemClock, lastLinesMs);
    process.exit(exitCodes.succeeded);
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, stop);
  process.stdin.once('end', stop);
  // The client has ended.
  process.stdout.once('error', stop);
}

/** The settings of a gateway that has this program as its only client, which cannot sign in. */
const hosted = (config: Config): Config => ({
  ...config,
  featureValues: { ...config.featureValues, MCP: true },
  server: { ...config.server, allowedHosts: [inProcessHost] },
  auth: config.auth.kind === 'keys' ? { ...config.auth, issuers: [] } : config.auth,
});

/** The caller without a key. @throws UsageError with several tenants. */
const callerOf = (config: Config, tenant: string | null): Caller => ({
  name: 'mcp',
  tenant: chooseTenant(config, tenant).name,
  scopes: new Set(mcpSettings.of(config).MCP_SCOPES),
  customer: null,
  limits: {},
});

/** A name that can be in a header. */
const plainName = /^[\w-]{1,64}$/;

const noSuchTool = () =>
  new ProtocolError(ProtocolErrorCode.InvalidParams, 'This tool does not exist.');

/** Creates the function that sends a request of a client to the gateway. It returns the result. @throws ProtocolError */
function createForward(handle: Hosted['handle'], credentials: Readonly<Record<string, string>>) {
  return async (
    method: string,
    params: { readonly name?: string },
    signal: AbortSignal,
  ): Promise<ListToolsResult & CallToolResult> => {
    const headers = {
      ...credentials,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': revision,
      'mcp-method': method,
      ...(params.name !== undefined && { 'mcp-name': params.name }),
    };
    const meta = {
      [PROTOCOL_VERSION_META_KEY]: revision,
      [CLIENT_INFO_META_KEY]: implementation,
      [CLIENT_CAPABILITIES_META_KEY]: {},
    };
    const message = { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: meta } };
    const request = { method: 'POST', headers, body: JSON.stringify(message), signal };
    const response = await handle(new Request(`http://${inProcessHost}${mcpPath}`, request));
    return resultOf(await response.text());
  };
}

function resultOf(body: string) {
  const { result, error } = JSON.parse(body);
  if (result !== undefined) return result;
  throw new ProtocolError(error.code, error.message);
}
