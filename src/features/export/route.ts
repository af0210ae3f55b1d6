import type { CreateRoutes, RouteContext } from '../../seam/feature.ts';
import type { HttpRequest } from '../../server/http/http-request.ts';
import { type RouteResponse, withFacts } from '../../server/http/routes.ts';
import { type ExportFile, exportFiles } from './files.ts';
import { ExportParameters } from './parameters.ts';
import { csv, jsonLines, textOf } from './table.ts';

export const exportRoutes: CreateRoutes = (context) =>
  withFacts(
    { kind: 'export', isOfAccount: true },
    Object.fromEntries(
      Object.entries(exportFiles)
        .filter(([, file]) => file.with === undefined || context.has(file.with))
        .map(([name, file]) => [
          `/export/${name}`,
          (request) => respond(request, name, file, context),
        ]),
    ),
  );

/** Checks the request in the order of the graph, and reads the list. */
async function respond(
  request: HttpRequest,
  name: string,
  { needed, upstreamCalls, open, parameters }: ExportFile,
  { beginFile, clock }: RouteContext,
): Promise<RouteResponse> {
  request.file = name;
  const caller = 'of the credentials';
  const scope = await beginFile(request, { caller, needed, upstreamCalls });
  const table = await open(scope, new ExportParameters(request.target, parameters));
  const format = name.endsWith('.csv') ? csv : jsonLines;
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
    body: textOf(table, format, clock),
  };
}
