import { addScopes } from '../kernel/caller.ts';
import { addEnumValues } from '../kernel/enum-values.ts';
import { addFaults } from '../kernel/faults.ts';
import { showHeldAs } from '../kernel/purchase-states.ts';
import { addScript } from '../lib/programs.ts';
import { addEventTypes } from '../scope/hooks.ts';
import type { Feature } from '../seam/feature.ts';
import { approval } from './approval/index.ts';
import { audit } from './audit/index.ts';
import { bulkChange } from './bulk-change/index.ts';
import { calendar } from './calendar/index.ts';
import { chat } from './chat/index.ts';
import { contactProfile } from './contact-profile/index.ts';
import { customerList } from './customer-list/index.ts';
import { event } from './event/index.ts';
import { exports } from './export/index.ts';
import { mcp } from './mcp/index.ts';
import { order } from './order/index.ts';
import { payment } from './payment/index.ts';
import { portfolio } from './portfolio/index.ts';
import { price } from './price/index.ts';
import { purchaseSums } from './purchase-sums/index.ts';
import { supergraph } from './supergraph/index.ts';
import { webhook } from './webhook/index.ts';

/** The features that can be deleted, in the order of the documentation. A feature comes after those that it uses. */
export const features: readonly Feature[] = [
  // One line for each.
  order,
  payment,
  price,
  portfolio,
  customerList,
  purchaseSums,
  bulkChange,
  contactProfile,
  event,
  webhook,
  chat,
  audit,
  approval,
  calendar,
  exports,
  mcp,
  supergraph,
];

for (const feature of features) {
  const {
    events = {},
    scopes = {},
    faults = {},
    commands = {},
    enumValues = {},
    heldState,
  } = feature;
  addEventTypes(events);
  addScopes(scopes);
  addFaults(faults);
  for (const [name, values] of Object.entries(enumValues)) addEnumValues(name, values);
  for (const [name, { script }] of Object.entries(commands)) if (script) addScript(name, script);
  if (heldState !== undefined) showHeldAs(heldState);
}
