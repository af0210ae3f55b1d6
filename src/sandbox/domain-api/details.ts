import { z } from 'zod';
import { read } from './action.ts';
import { named, ownDomain } from './names.ts';
import { accountView, registryLock, registryView } from './render.ts';

/** The service's own page; there is no asking for the next. */
const pageSize = 200;

export const getDetails = read(named, ({ domain }, context) => ({
  data: accountView(ownDomain(context, domain), context.service.clock.now()),
  result: 'OK',
}));

/** In the order of ids. `TotalCount` counts the whole portfolio, of which at most one page is shown. */
export const getDomainList = read(z.object({}), (_request, { service, reseller }) => {
  const now = service.clock.now();
  const { domains } = service.store;
  const page = domains.list(reseller.id, pageSize);
  return {
    data: { Domains: page.map((domain) => accountView(domain, now)) },
    result: 'OK',
    TotalCount: page.length < pageSize ? page.length : domains.count(reseller.id),
  };
});

/** Answers with the registry's view, and sets the account's lock right when that differs. */
export const syncFromRegistry = read(named, ({ domain }, context) => {
  const { service } = context;
  const record = ownDomain(context, domain);
  const locked = registryLock(record);
  if (locked !== record.locked) service.store.domains.save({ ...record, locked });
  return { data: registryView(record, service.clock.now()), result: 'OK' };
});
