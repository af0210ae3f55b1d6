import { createHash } from 'node:crypto';
import type { Caller } from '../../kernel/caller.ts';
import { inParts } from '../../lib/text-parts.ts';
import { calendarPath } from '../../modules/calendar/feed.ts';
import { calendarText, mediaType } from '../../modules/calendar/icalendar.ts';
import { type CalendarFeed, calendars } from '../../modules/calendar/service.ts';
import { requestFault } from '../http/request-fault.ts';
import type { Routes } from '../http/routes.ts';
import { beginExport, type ExportOptions } from './export-routes.ts';

/** Finds a calendar feed, and the caller that may read its domains and nothing else; null for an unknown secret. */
export type FindFeed = (
  secret: string,
) => Promise<{ readonly feed: CalendarFeed; readonly caller: Caller } | null>;

/** The file of a calendar feed. The secret in the address is the credential. */
export const calendarRoutes = (options: ExportOptions, findFeed: FindFeed): Routes => ({
  async [calendarPath](request) {
    request.file = 'calendar.ics';
    const secret = new URLSearchParams(request.target.split('?')[1]).get('feed');
    const found = secret ? await findFeed(secret) : null;
    if (!found) throw requestFault('NOT_FOUND', 'There is no such calendar feed.', 404);
    request.caller = found.caller;
    const { use } = await beginExport(request, 0, options);
    const expiries = await use(calendars).expiries(found.feed);
    const text = () => inParts(calendarText(found.feed, expiries), options.clock);
    const hash = createHash('sha256');
    for await (const part of text()) hash.update(part);
    const etag = `"${hash.digest('base64url')}"`;
    const isSame = request.header('if-none-match')?.includes(etag) === true;
    return {
      status: isSame ? 304 : 200,
      headers: {
        etag,
        // A calendar program may store the file, and asks each time whether it has changed.
        'cache-control': 'private, no-cache',
        ...(!isSame && {
          'content-type': mediaType,
          'content-disposition': 'attachment; filename="calendar.ics"',
        }),
      },
      body: text(),
    };
  },
});
