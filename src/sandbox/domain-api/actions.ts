import type { Action } from './action.ts';
import { bulkCheckAvailability, singleCheckAvailability } from './availability.ts';
import { getContacts } from './contacts.ts';
import { getDetails, getDomainList, syncFromRegistry } from './details.ts';
import { addChildNameServer, modifyNameServer } from './name-servers.ts';
import { disableTheftLock, modifyPrivacyStatus } from './protection.ts';
import { registerDomain } from './register.ts';
import { resellerDetails } from './reseller.ts';
import { tldList } from './tld-list.ts';
import { transferDomain } from './transfer.ts';

/** The Domain API, one row per `action` (specification, "Domain API operations"). */
export const actions: Readonly<Record<string, Action>> = {
  getcontacts: getContacts,
  getdetails: getDetails,
  getdomainlist: getDomainList,
  registerdomain: registerDomain,
  singlecheckavailability: singleCheckAvailability,
  bulkcheckavailability: bulkCheckAvailability,
  transferdomain: transferDomain,
  modifynameserver: modifyNameServer,
  addchildnameserver: addChildNameServer,
  disabletheftlock: disableTheftLock,
  modifyprivacystatus: modifyPrivacyStatus,
  tldlist: tldList,
  syncfromregistry: syncFromRegistry,
  resellerdetails: resellerDetails,
};
