import { z } from 'zod';
import { catalogue } from '../service/catalogue.ts';
import { JsonPieces } from '../service/http.ts';
import { keepsOwnView } from '../service/world.ts';
import { type Context, Refusal, read, write } from './action.ts';
import { numberOr } from './fields.ts';
import { named, ownDomain } from './names.ts';
import { accountView, registryLock, registryView } from './render.ts';

/** Beyond so many rows a list is made and sent piece by piece. */
const longList = 1_000;
const rowsOfPiece = 100;

export const getDetails = read(named, ({ domain }, context) => ({
  data: accountView(ownDomain(context, domain), context.service.clock.nowMs()),
  result: 'OK',
}));

/** In the order of ids. `TotalCount` counts the whole portfolio, of which at most one page is shown. */
export const getDomainList = read(z.object({}), (_request, context) => {
  const { service, reseller } = context;
  const TotalCount = service.store.domains.count(reseller.id);
  if (Math.min(TotalCount, service.listSize) > longList) return new JsonPieces(longListOf(context));
  const Domains = [...rowsOf(context)].flat();
  return { data: { Domains }, result: 'OK', TotalCount };
});

/** A domain that changes during the transfer of the list is shown in either state; a new one is at the end. */
function* longListOf(context: Context): Generator<string> {
  yield '{"data":{"Domains":[';
  let separator = '';
  for (const rows of rowsOf(context)) {
    yield separator + rows.map((row) => JSON.stringify(row)).join(',');
    separator = ',';
  }
  yield `]},"result":"OK","TotalCount":${context.service.store.domains.count(context.reseller.id)}}`;
}

function* rowsOf({ service, reseller }: Context) {
  const nowMs = service.clock.nowMs();
  let afterId = 0;
  for (let left = service.listSize; left > 0; left -= rowsOfPiece) {
    const page = service.store.domains.page(reseller.id, Math.min(left, rowsOfPiece), afterId);
    if (page.length === 0) return;
    yield page.map((domain) => accountView(domain, nowMs));
    afterId = page.at(-1)?.id ?? afterId;
  }
}

/** Returns the registry's view, and corrects the account's lock, except for a domain that keeps its own view. */
export const syncFromRegistry = write(named, ({ domain }, context) => {
  const { service } = context;
  const record = ownDomain(context, domain);
  const locked = registryLock(record);
  if (locked !== record.locked && !keepsOwnView(record.name)) {
    service.store.domains.save({ ...record, locked });
  }
  return { data: registryView(record, service.clock.nowMs()), result: 'OK' };
});

const maxCount = 1000;
const wholeList = Object.freeze({ data: catalogue.map(({ entry }) => entry), result: 'OK' });

/** `count` is the size of the one page there is. @throws Refusal 400 above 1000. */
export const tldList = read(z.object({ count: numberOr(2) }), ({ count }, { service }) => {
  if (count > maxCount) throw Refusal.invalid(`count must be at most ${maxCount}.`);
  const { data, result } = wholeList;
  const most = Math.min(Math.max(0, count), service.listedTlds);
  return most < data.length ? { data: data.slice(0, most), result } : wholeList;
});

/** The main balance stands beside the list as well. */
export const resellerDetails = read(z.object({}), (_request, { service, reseller }) => {
  const balances = service.store.money.balances(reseller.id);
  const main = balances.find(({ currency }) => currency === reseller.currency);
  return {
    result: 'OK',
    id: reseller.shownId,
    active: true,
    name: reseller.name,
    balance: main?.balance ?? '0.0000',
    currency: reseller.currency,
    symbol: main?.symbol ?? '$',
    balances,
  };
});
