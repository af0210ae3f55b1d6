import type { IncomingMessage, ServerResponse } from 'node:http';
import { describeNode, isNodeSupported } from '../cli/node-version.mjs';
import type { GatewaySettings } from './settings.ts';

// What a program imports. Its types name no other file than settings.ts, so that they are complete in the package.

export type { GatewaySettings } from './settings.ts';

export interface GatewayOptions {
  /** Variables of the environment, such as `process.env`, for the settings that are not given. Other variables are ignored. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Receives each line of the log, which is JSON; default standard error. LOG_LEVEL selects the lines. */
  readonly log?: (line: string) => void;
}

export interface Gateway {
  /**
   * Responds to a web request. A path before `/graphql`, `/export/…` and `/health/…` is ignored. The body is a stream for
   * subscriptions, `@defer`, `@stream` and exports. Aborting the signal of the request, or cancelling the body, stops the
   * work as a client does that disconnects. Rejects when the signal is aborted before the response begins.
   */
  readonly handle: (request: Request) => Promise<Response>;
  /** Responds to a request of `node:http` whose body was not read. */
  readonly nodeHandler: (request: IncomingMessage, response: ServerResponse) => void;
  /** The graph as SDL, with SUBGRAPH and TYPE_PREFIX applied. */
  readonly schema: string;
  /**
   * Refuses new requests, finishes open ones and closes all parts, within 30 seconds. False when that took too long; the
   * next gateway over the journal settles open purchases.
   */
  readonly close: () => Promise<boolean>;
}

/**
 * Starts a gateway inside this process. It opens a port only for an embedded sandbox (SANDBOX_PORT) and for METRICS_PORT,
 * handles no signals and never ends the process.
 *
 * @throws ConfigError whose `errors` has one sentence for each wrong setting, or an Error when the gateway cannot start.
 */
export async function createGateway(
  settings: GatewaySettings = {},
  options: GatewayOptions = {},
): Promise<Gateway> {
  if (!isNodeSupported) throw new Error(describeNode('; install it'));
  const { openGateway } = await import('./gateway.ts');
  return openGateway(settings, options.env, options.log);
}
