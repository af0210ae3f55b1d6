import '../schema/scalars.ts';
import './account-api/schema.ts';
import './availability/schema.ts';
import './contact/schema.ts';
import './customer/schema.ts';
import './contact-profile/schema.ts';
import './domain/schema.ts';
import './approval/schema.ts';
import './approval/related-schema.ts';
import './approval/requested-schema.ts';
import './audit/schema.ts';
import './bulk-change/schema.ts';
import './calendar/schema.ts';
import './event/schema.ts';
import './gateway-info/schema.ts';
import './name-server/schema.ts';
import './order/cart-schema.ts';
import './order/quote-schema.ts';
import './order/schema.ts';
import './order/place-schema.ts';
import './purchase/schema.ts';
import './purchase/related-schema.ts';
import './portfolio/schema.ts';
import './protection/schema.ts';
import './registration/schema.ts';
import './reseller/schema.ts';
import './search/schema.ts';
import './sync/schema.ts';
import './tld/schema.ts';
import './transfer/schema.ts';
import './portfolio/tracked-domain-schema.ts';
import './webhook/schema.ts';
import { specifiedDirectives } from 'graphql';
import { builder } from '../schema/builder.ts';
import { incrementalDirectives } from '../schema/incremental-delivery.ts';
import { inOrderOfUse } from '../schema/root-order.ts';

/** The whole graph, printed in `schema.graphql`. */
export const schema = inOrderOfUse(
  builder.toSchema({ directives: [...specifiedDirectives, ...incrementalDirectives] }),
);

// The first text of the documentation in GraphiQL. Pothos has no option for it.
schema.description = `The domains, purchases and account of a domain reseller.

Everyday operations, each with the field to begin with:

- search a name: \`searchDomains\`
- check a list of names: \`availabilities\`
- the price for some years: \`tld\` with \`quote\`
- register a domain: \`registerDomain\`
- place an order: \`placeOrder\`
- follow an order: the subscription \`orderProgress\`
- a domain with its contacts: \`domain\`
- change name servers: \`setNameServers\`
- domains that expire soon: \`domains\`
- changes since yesterday: \`events\`

\`gateway\` has your scopes and limits. The description of a field has its upstream calls. \`extensions.cost\` has the calls
that were estimated before the execution.
A mutation returns its failures in \`errors\`: \`executed\` is whether the registrar may have acted, and \`retryable\` whether a
repetition can help.`;
