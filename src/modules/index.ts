import { buildSchema } from 'graphql';

/** The whole graph. */
export const schema = buildSchema('type Query { ok: Boolean }');
