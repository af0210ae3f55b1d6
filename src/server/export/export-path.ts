import { forbidden, mayAny } from '../../kernel/caller.ts';
import type { Clock } from '../../lib/clock.ts';
import { type ExportFile, exportFiles } from '../../modules/export/files.ts';
import { ExportParameters } from '../../modules/export/parameters.ts';
import { type Table, textOf } from '../../modules/export/table.ts';
import type { Scope } from '../../modules/scope.ts';
import type { Log } from '../../observability/log.ts';
import { respondToFailure } from '../graphql/exchange.ts';
import type { Rules } from '../graphql/rule.ts';
import type { HttpRequest, RequestScope } from '../http/http-request.ts';
import { writeHead } from '../http/responses.ts';
import { exportPrefix, type Handlers } from '../http/routes.ts';
import { sendParts } from '../http/send-parts.ts';

interface ExportPathOptions {
  readonly rules: Rules;
  /** Also sets `request.scope`. Returns the context of resolvers. */
  readonly createScope: (request: HttpRequest) => RequestScope;
  readonly clock: Clock;
  readonly log: Log;
}

/** The name of a file whose list leaves rows out: a person who opens it sees no header of the response. */
const incomplete = (name: string) => name.replace('.', '-incomplete.');

/** Responds to GET and HEAD of an export; the guards refuse other methods. */
export class ExportPath {
  readonly handlers: Handlers = Object.fromEntries(
    Object.entries(exportFiles).map(([name, file]) => [
      exportPrefix + name,
      (request: HttpRequest) => this.#handle(request, name, file),
    ]),
  );
  readonly #options: ExportPathOptions;

  constructor(options: ExportPathOptions) {
    this.#options = options;
  }

  #handle(request: HttpRequest, name: string, file: ExportFile): void {
    request.file = name;
    const { rules } = this.#options;
    const exchange = { request, type: 'application/json' } as const;
    this.#process(request, name, file).catch((error) => respondToFailure(rules, exchange, error));
  }

  /** @throws what happens before the first part is sent. */
  async #process(request: HttpRequest, name: string, file: ExportFile): Promise<void> {
    const { response, method } = request;
    const table = await this.#open(request, file);
    const parts = textOf(table, file.format, this.#options.clock);
    const first = await parts.next();
    writeHead(request, 200, {
      'content-type': file.format.mediaType,
      'content-disposition': `attachment; filename="${table.complete ? name : incomplete(name)}"`,
      'last-modified': table.asOf.toUTCString(),
      'x-list-complete': String(table.complete),
      ...(table.nextStep && { 'x-list-next-step': table.nextStep }),
    });
    if (method === 'HEAD') response.end();
    else await sendParts(request, first, parts, this.#options);
  }

  /** Checks the request in the order of the graph, and reads the list. */
  async #open(request: HttpRequest, file: ExportFile): Promise<Table> {
    const { needed, upstreamCalls, open } = file;
    const { rules, createScope } = this.#options;
    const headRefusal = await rules.checkRequest(request);
    if (headRefusal) throw headRefusal;
    if (!mayAny(request.caller, needed)) throw forbidden(request.caller, needed);
    request.estimate = { upstreamCalls, searches: 0, storedRows: 0, isNeverLimited: false };
    const scope = createScope(request);
    const refusal = await rules.checkExport(request);
    if (refusal) throw refusal;
    const parameters = new ExportParameters(request.target, file.parameters);
    return open(scope as Scope, parameters);
  }
}
