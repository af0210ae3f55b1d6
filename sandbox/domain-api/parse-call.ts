import type { Call } from '../service/call-log.ts';
import { parseObject, type Reply } from '../service/http.ts';
import type { Service } from '../service/service.ts';
import type { Reseller } from '../service/store.ts';
import { type Action, type Body, noDetails, Refusal, refusalReply } from './action.ts';
import { bulkCheckAvailability, singleCheckAvailability } from './availability.ts';
import { getContacts } from './contacts.ts';
import { crashReply, TypeCrash } from './fields.ts';
import { registerDomain, transferDomain } from './purchases.ts';
import * as reads from './reads.ts';
import * as settings from './settings.ts';

/** The Domain API, one row per `action` (specification, "Domain API operations"). */
const actions: Readonly<Record<string, Action>> = {
  getcontacts: getContacts,
  getdetails: reads.getDetails,
  getdomainlist: reads.getDomainList,
  registerdomain: registerDomain,
  singlecheckavailability: singleCheckAvailability,
  bulkcheckavailability: bulkCheckAvailability,
  transferdomain: transferDomain,
  modifynameserver: settings.modifyNameServer,
  addchildnameserver: settings.addChildNameServer,
  disabletheftlock: settings.disableTheftLock,
  modifyprivacystatus: settings.modifyPrivacyStatus,
  tldlist: reads.tldList,
  syncfromregistry: reads.syncFromRegistry,
  resellerdetails: reads.resellerDetails,
};

/** A Domain API request as a call. `text` is `null` when the body was too long. */
export function parseDomainCall(
  service: Service,
  method: string,
  action: string,
  text: string | null,
): Call {
  const body: Body = parseObject(text ?? '') ?? {};
  const row = Object.hasOwn(actions, action) ? actions[action] : undefined;
  const { domain, domains, username } = body;

  return {
    action,
    domain: textOf(domain)?.trim(),
    domains: Array.isArray(domains) ? domains.filter((one) => typeof one === 'string') : undefined,
    username: textOf(username),
    writes: row?.writes ?? false,
    failure,
    run() {
      if (method !== 'POST') {
        const refusal = Refusal.invalid(`Use POST, not ${method}.`, 405);
        return refusalReply(refusal, 405, { allow: 'POST' });
      }
      if (text === null) {
        return refusalReply(Refusal.invalid('The body is too long.'), 413, { connection: 'close' });
      }
      try {
        if (!row) throw Refusal.invalid('The action is not known.');
        const reseller = login(service, body);
        if (reseller) return { status: 200, body: row.run(body, { service, reseller }) };
        const refusal = new Refusal(300);
        return row.refuse
          ? { status: 200, body: row.refuse(body, refusal) }
          : refusalReply(refusal);
      } catch (error) {
        if (error instanceof TypeCrash) return crashReply;
        if (error instanceof Refusal) return refusalReply(error);
        throw error;
      }
    },
  };
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : undefined);

/** Undefined for wrong credentials. @throws Refusal 400 for missing ones. */
function login({ store }: Service, body: Body): Reseller | undefined {
  const field = (name: 'username' | 'password'): string => {
    const text = textOf(body[name]);
    if (text) return text;
    throw Refusal.invalid(`${name} is required and must be a non-empty string.`);
  };
  return store.resellers.find({ username: field('username'), password: field('password') });
}

/** A code as an armed fault names it: `API_101_ERROR`, `101`, or one of the words such as `UNKNOWN_ERROR`. */
function failure(code: string, Details: string = noDetails): Reply {
  const Code = /^\d+$/.test(code) ? `API_${code}_ERROR` : code;
  const error = { Code, Message: 'Failed', Details };
  return { status: 400, body: { result: 'ERROR', error } };
}
