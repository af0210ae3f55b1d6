import '../schema/scalars.ts';
import './account-api/schema.ts';
import './availability/schema.ts';
import './contact/schema.ts';
import './domain/schema.ts';
import './domain-change/schema.ts';
import './event/schema.ts';
import './gateway-info/schema.ts';
import './name-server/schema.ts';
import './order/schema.ts';
import './placed-order/schema.ts';
import './purchase/schema.ts';
import './portfolio/schema.ts';
import './protection/schema.ts';
import './registration/schema.ts';
import './reseller/schema.ts';
import './search/schema.ts';
import './sync/schema.ts';
import './tld/schema.ts';
import './tracked-domain/schema.ts';
import './webhook/schema.ts';
import { specifiedDirectives } from 'graphql';
import { builder } from '../schema/builder.ts';
import { incrementalDirectives } from '../schema/incremental-delivery.ts';

/** The whole graph, printed in `schema.graphql`. */
export const schema = builder.toSchema({
  directives: [...specifiedDirectives, ...incrementalDirectives],
});
