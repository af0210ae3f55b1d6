import { createHash } from 'node:crypto';
import { ownerOf } from '../../kernel/caller.ts';
import type { DomainName } from '../../kernel/domain-name.ts';
import { notRenewed } from '../../kernel/domain-state.ts';
import { Fault, invalidInput } from '../../kernel/faults.ts';
import { globalId } from '../../kernel/ids.ts';
import { type LabelFilter, labelConditions } from '../../kernel/label.ts';
import { Secret } from '../../kernel/secret.ts';
import type { Clock } from '../../lib/clock.ts';
import { createSlices, parts } from '../../lib/slices.ts';
import { systemRandomBytes } from '../../lib/system.ts';
import { checkName } from '../../modules/mutation/check-name.ts';
import { asPayload, createChecks } from '../../modules/mutation/checks.ts';
import { perRequest } from '../../scope/scope.ts';
import { isDomain, notCompared, readState } from '../event/domains.ts';
import { eventOptions } from '../event/parts.ts';
import type { EventStore } from '../event/store.ts';
import { eventStore } from '../event/stores.ts';
import { filterResolver } from '../portfolio/filter-resolver.ts';
import type { Expiry } from './icalendar.ts';
import { calendarFeeds } from './store.ts';
import type { CalendarFeed } from './table.ts';

export const calendarPath = '/calendar.ics';

/** Calendar feeds of a customer at most, and of the reseller. */
export const maxFeeds = 20;

interface CreateCalendarFeedInput {
  readonly name: string;
  readonly labels?: readonly LabelFilter[] | null | undefined;
  readonly customer?: string | null | undefined;
}

const secretBytes = 32;
const statesPerRead = 500;

/** A secret has 256 random bits, so it needs no slow hash. */
export const secretHash = (secret: string): string =>
  createHash('sha256').update(secret).digest('hex');

/** The calendar feeds of an account that the caller sees: with a customer those of this customer. */
export const calendars = perRequest('calendars', ({ tenant, caller, stored, store, use }) => {
  const { account, clock, randomness } = tenant;
  const feeds = store(calendarFeeds);
  const readOne = stored.batched((ids) => feeds.byIds(account, ids));
  const byId = async (id: string): Promise<CalendarFeed | null> => {
    const feed = await readOne(id);
    return caller.customer === null || feed?.customer === caller.customer ? feed : null;
  };

  return {
    byId,
    /** Those of a customer, or of the reseller. */
    list: (customer: string | null | undefined) =>
      feeds.list(account, ownerOf(caller, customer, ['customer'])),

    /** The secret is part of no other result. */
    create: (input: CreateCalendarFeedInput) =>
      asPayload(async () => {
        const checks = createChecks();
        const name = checkName(checks, input.name);
        const path = ['input', 'customer'];
        const customer = checks.check(path, () => ownerOf(caller, input.customer, path));
        const labels = checks.check(['input', 'labels'], () => labelConditions(input.labels)) ?? [];
        checks.finish();
        if ((await feeds.list(account, customer)).length >= maxFeeds) throw tooMany();
        const feed = { id: randomness.uuid(), name, customer, labels, createdAt: clock.now() };
        const secret = systemRandomBytes(secretBytes).toString('base64url');
        await feeds.add(account, feed, secretHash(secret));
        return { feed, secretPath: new Secret(`${calendarPath}?feed=${secret}`) };
      }),

    remove: ({ id }: { readonly id: string }) =>
      asPayload(async () => {
        if (!(await byId(id))) throw unknown();
        await feeds.remove(account, id);
        return { deletedId: globalId('CalendarFeed', id) };
      }),

    /** The expiry dates of a feed by name. @throws Fault `UPSTREAM_UNAVAILABLE` while the gateway does not know them */
    async expiries({ customer, labels }: CalendarFeed): Promise<readonly Expiry[]> {
      const events = store(eventStore);
      // Without the first comparison the file would have no domains, and a calendar would remove all of them.
      if (use(eventOptions).everyMs <= 0 || !(await events.hasBaseline(account)))
        throw notCompared();
      const selected = await use(filterResolver)({ customer, labels });
      const names = namesIn(selected?.among ?? []);
      return expiriesIn(clock, statesOf(events, account, names));
    },
  };
});

type States = Awaited<ReturnType<EventStore['watched']>>;

/** The states that events compare, of these names or of all domains, so that the registrar is not called. */
async function* statesOf(
  events: EventStore,
  account: string,
  names: readonly DomainName[] | null,
): AsyncGenerator<States, void> {
  if (names) {
    for (const some of parts(names, statesPerRead)) yield events.watchedOf(account, some);
    return;
  }
  for (let after: string | null | undefined = null; after !== undefined; ) {
    const states: States = await events.watched(account, after, statesPerRead);
    yield states;
    after = states.at(-1)?.subject;
  }
}

async function expiriesIn(clock: Clock, all: AsyncIterable<States>): Promise<readonly Expiry[]> {
  const expiries: Expiry[] = [];
  const slices = createSlices(clock);
  for await (const states of all) {
    for (const { subject, seen } of states) {
      if (!isDomain(subject)) continue;
      const { expiresAt, expirySince, state } = readState(seen).state ?? {};
      if (expiresAt && expirySince && !notRenewed.has(state ?? '')) {
        const [date, since] = [new Date(expiresAt), new Date(expirySince)];
        expiries.push({ name: subject, expiresAt: date, since });
      }
      if (slices.isOver()) await slices.next();
    }
  }
  return expiries;
}

/** The names that all conditions have, in order; null without a condition. */
function namesIn([first, ...others]: readonly (readonly DomainName[])[]) {
  if (!first) return null;
  const sets = others.map((names) => new Set(names));
  return first.filter((name) => sets.every((names) => names.has(name)));
}

const unknown = () =>
  new Fault('NOT_FOUND', {
    message: 'There is no such calendar feed.',
    path: ['input', 'id'],
  });

const tooMany = () =>
  invalidInput(`There are ${maxFeeds} feeds, which is the limit; delete one first.`);
