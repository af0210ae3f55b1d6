import { forbidden, mayAny } from '../../kernel/caller.ts';
import type { Clock } from '../../lib/clock.ts';
import { type ExportFile, exportFiles } from '../../modules/export/files.ts';
import { ExportParameters } from '../../modules/export/parameters.ts';
import { textOf } from '../../modules/export/table.ts';
import type { BeginFile } from '../graphql/begin-file.ts';
import type { Rules } from '../graphql/rule.ts';
import type { HttpRequest } from '../http/http-request.ts';
import { exportPrefix, type RouteResponse, type Routes } from '../http/routes.ts';

export interface ExportOptions {
  readonly rules: Rules;
  readonly beginFile: BeginFile;
  readonly clock: Clock;
}

export const exportRoutes = (options: ExportOptions): Routes =>
  Object.fromEntries(
    Object.entries(exportFiles).map(([name, file]) => [
      exportPrefix + name,
      (request: HttpRequest) => respond(request, name, file, options),
    ]),
  );

/** Checks the request in the order of the graph, and reads the list. */
async function respond(
  request: HttpRequest,
  name: string,
  { needed, upstreamCalls, open, parameters, format }: ExportFile,
  options: ExportOptions,
): Promise<RouteResponse> {
  request.file = name;
  const refusal = await options.rules.check('onRequest', request);
  if (refusal) throw refusal;
  if (!mayAny(request.caller, needed)) throw forbidden(request.caller, needed);
  const scope = await options.beginFile(request, upstreamCalls);
  const table = await open(scope, new ExportParameters(request.target, parameters));
  // A person who opens the file sees no header of the response.
  const shown = table.complete ? name : name.replace('.', '-incomplete.');
  return {
    headers: {
      'content-type': format.mediaType,
      'content-disposition': `attachment; filename="${shown}"`,
      'last-modified': table.asOf.toUTCString(),
      'x-list-complete': String(table.complete),
      ...(table.nextStep && { 'x-list-next-step': table.nextStep }),
    },
    body: textOf(table, format, options.clock),
  };
}
