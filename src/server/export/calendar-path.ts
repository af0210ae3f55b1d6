import { createHash } from 'node:crypto';
import type { Caller } from '../../kernel/caller.ts';
import type { Clock } from '../../lib/clock.ts';
import { inParts } from '../../lib/text-parts.ts';
import { calendarPath } from '../../modules/calendar/feed.ts';
import { calendarText, mediaType } from '../../modules/calendar/icalendar.ts';
import { type CalendarFeed, calendars } from '../../modules/calendar/service.ts';
import type { Scope } from '../../modules/scope.ts';
import type { Log } from '../../observability/log.ts';
import { respondToFailure } from '../graphql/exchange.ts';
import type { Rules } from '../graphql/rule.ts';
import type { HttpRequest, RequestScope } from '../http/http-request.ts';
import { requestFault } from '../http/request-fault.ts';
import { writeHead } from '../http/responses.ts';
import type { Handlers } from '../http/routes.ts';
import { sendParts } from '../http/send-parts.ts';

/** Finds a calendar feed, and the caller that may read its domains and nothing else; null for an unknown secret. */
export type FindFeed = (
  secret: string,
) => Promise<{ readonly feed: CalendarFeed; readonly caller: Caller } | null>;

interface CalendarPathOptions {
  readonly rules: Rules;
  /** Also sets `request.scope`. Returns the context of resolvers. */
  readonly createScope: (request: HttpRequest) => RequestScope;
  readonly findFeed: FindFeed;
  readonly clock: Clock;
  readonly log: Log;
}

/** Responds to GET and HEAD of a calendar feed. The secret in the address is the credential. */
export class CalendarPath {
  readonly handlers: Handlers = {
    [calendarPath]: (request) => {
      request.file = 'calendar.ics';
      const exchange = { request, type: 'application/json' } as const;
      this.#process(request).catch((error) =>
        respondToFailure(this.#options.rules, exchange, error),
      );
    },
  };
  readonly #options: CalendarPathOptions;

  constructor(options: CalendarPathOptions) {
    this.#options = options;
  }

  /** @throws what happens before the first part is sent. */
  async #process(request: HttpRequest): Promise<void> {
    const { rules, createScope, findFeed, clock } = this.#options;
    const secret = new URLSearchParams(request.target.split('?')[1]).get('feed');
    const found = secret ? await findFeed(secret) : null;
    if (!found) throw requestFault('NOT_FOUND', 'There is no such calendar feed.', 404);
    request.caller = found.caller;
    request.estimate = { upstreamCalls: 0, searches: 0, storedRows: 0, isNeverLimited: false };
    const { use } = createScope(request) as Scope;
    const refusal = await rules.checkExport(request);
    if (refusal) throw refusal;
    const expiries = await use(calendars).expiries(found.feed);
    const text = () => inParts(calendarText(found.feed, expiries), clock);
    const hash = createHash('sha256');
    for await (const part of text()) hash.update(part);
    const etag = `"${hash.digest('base64url')}"`;
    const isSame = request.header('if-none-match')?.includes(etag) === true;
    writeHead(request, isSame ? 304 : 200, {
      etag,
      // A calendar program may store the file, and asks each time whether it has changed.
      'cache-control': 'private, no-cache',
      ...(!isSame && {
        'content-type': mediaType,
        'content-disposition': 'attachment; filename="calendar.ics"',
      }),
    });
    if (isSame || request.method === 'HEAD') request.response.end();
    else {
      const parts = text();
      await sendParts(request, await parts.next(), parts, this.#options);
    }
  }
}
