import { createHash } from 'node:crypto';
import type { Caller } from '../../kernel/caller.ts';
import { inParts } from '../../lib/slices.ts';
import type { Tenant } from '../../scope/tenant.ts';
import type { CreateRoutes } from '../../seam/feature.ts';
import { requestFault } from '../../server/http/request-fault.ts';
import { withFacts } from '../../server/http/routes.ts';
import { calendarFacts, calendarText, mediaType } from './icalendar.ts';
import { calendarPath, calendars, secretHash } from './service.ts';
import { calendarFeeds } from './store.ts';
import type { CalendarFeed } from './table.ts';

/** The file of a calendar feed. The secret in the address is the credential. */
export const calendarRoutes: CreateRoutes = ({ clock, beginFile, tenants }) =>
  withFacts(
    { kind: 'export' },
    {
      async [calendarPath](request) {
        request.file = 'calendar.ics';
        const secret = new URLSearchParams(request.target.split('?')[1]).get('feed');
        const found = secret ? await findFeed(tenants(), secret) : null;
        if (!found) throw requestFault('NOT_FOUND', 'There is no such calendar feed.', 404);
        const { feed, tenant } = found;
        const caller = readerOf(feed, tenant);
        const { use } = await beginFile(request, { caller, upstreamCalls: 0 });
        const expiries = await use(calendars).expiries(feed);
        const hash = createHash('sha256');
        for await (const part of inParts(calendarFacts(feed, expiries), clock)) hash.update(part);
        const etag = `"${hash.digest('base64url')}"`;
        const isSame = request.header('if-none-match')?.includes(etag) === true;
        return {
          status: isSame ? 304 : 200,
          headers: {
            etag,
            // A calendar program may store the file, and requests it each time with its ETag.
            'cache-control': 'private, no-cache',
            ...(!isSame && {
              'content-type': mediaType,
              'content-disposition': 'attachment; filename="calendar.ics"',
            }),
          },
          body: inParts(calendarText(feed, expiries), clock),
        };
      },
    },
  );

/** The feed with this secret, and the name of its tenant; null for an unknown secret. */
async function findFeed(tenants: ReadonlyMap<string, Tenant>, secret: string) {
  const [first] = tenants.values();
  // Tenants share the database.
  const found = await first?.store(calendarFeeds).bySecret(secretHash(secret));
  const tenant = [...tenants].find(([, { facts }]) => facts.account === found?.account)?.[0];
  return found && tenant !== undefined ? { feed: found.feed, tenant } : null;
}

/** The caller that reads the domains of the feed and nothing else. The name of a key has no colon. */
const readerOf = ({ id, customer }: CalendarFeed, tenant: string): Caller => ({
  ...{ name: `calendar:${id}`, tenant, customer, limits: {} },
  scopes: new Set(['domains:read']),
});
