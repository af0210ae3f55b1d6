import type { z } from 'zod';
import type { Reseller } from '../service/account-store.ts';
import type { Service } from '../service/service.ts';
import { Refusal } from './refusal.ts';

export type Body = Readonly<Record<string, unknown>>;

/** What an action works with besides its request. */
export interface Context {
  readonly service: Service;
  readonly reseller: Reseller;
}

/** A row of the table of actions. */
export interface Action {
  readonly writes: boolean;
  /** The body of the 200 reply. @throws Refusal */
  readonly run: (body: Body, context: Context) => unknown;
}

type Run<S extends z.ZodType> = (request: z.output<S>, context: Context) => unknown;

const action =
  (writes: boolean) =>
  <S extends z.ZodType>(schema: S, run: Run<S>): Action => ({
    writes,
    run: (body, context) => run(readRequest(schema, body), context),
  });

export const read = action(false);
export const write = action(true);

/**
 * An empty array counts as missing.
 *
 * @throws Refusal 400 with one sentence about the first member that is missing or wrong.
 */
function readRequest<S extends z.ZodType>(schema: S, body: Body): z.output<S> {
  const result = schema.safeParse(body);
  if (result.success) return result.data;
  const path = result.error.issues[0]?.path ?? [];
  const field = path.map(String).join('.');
  const value = path.reduce<unknown>(
    (at, key) => (at as Record<PropertyKey, unknown>)?.[key],
    body,
  );
  const isMissing =
    value === undefined ||
    value === null ||
    value === '' ||
    (Array.isArray(value) && !value.length);
  throw Refusal.invalid(
    isMissing ? `The ${field} field is required.` : `The ${field} field is not valid.`,
  );
}
