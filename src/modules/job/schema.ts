import { mayAny } from '../../kernel/caller.ts';
import { cursorText, shownKey } from '../../kernel/ids.ts';
import { lazy } from '../../lib/lazy.ts';
import { builder, type ObjectFieldBuilder, type QueryArgBuilder } from '../../schema/builder.ts';
import { numberIn, readCursor } from '../../schema/connection.ts';
import { optionalInputs } from '../../schema/fields.ts';
import { byTime } from '../../schema/stored-list.ts';
import { TimeSpanRef } from '../../schema/values.ts';
import type { JobRecord } from './progress-notifier.ts';

/** The fields that orders and other jobs have. */
export const jobFields = <Shape extends { readonly job: JobRecord }>(
  t: ObjectFieldBuilder<Shape>,
  noun: string,
  created: string,
) => ({
  key: t.string({
    nullable: false,
    description: `The idempotency key of the ${noun}.`,
    resolve: ({ job }) => shownKey(job.key),
  }),
  createdAt: t.field({
    type: 'DateTime',
    nullable: false,
    description: `Time at which the ${noun} was ${created}.`,
    resolve: ({ job }) => job.createdAt,
  }),
  caller: t.string({
    description: `Name of the API key or token that ${created} the ${noun}. Null without the scope \`ops\`, and when the gateway requires no credential.`,
    resolve: ({ job }, _args, scope) => (mayAny(scope.caller, ['ops']) ? job.caller : null),
  }),
});

export const jobIdArg = (t: { readonly arg: QueryArgBuilder }, job: string) => ({
  id: t.arg.id({ required: true, description: `The id of ${job}.` }),
});

interface ItemPageArgs {
  readonly after?: string | null | undefined;
}

/** A page of the items of a job, with the position of its cursor. @throws Fault `INVALID_INPUT` for text that is no cursor */
export const placed = <Args extends ItemPageArgs>({ after, ...page }: Args) => ({
  ...page,
  after: typeof after === 'string' ? numberIn(readCursor('after', after, 1), 'after') : null,
});

/** The arguments of a page of the items of a job. */
export const itemPageArgs = (t: { readonly arg: QueryArgBuilder }, items: string) => ({
  first: t.arg.int({
    required: true,
    defaultValue: 100,
    description: `Number of ${items}: 0 to 500.`,
  }),
  after: t.arg.string({
    description: `Only ${items} after this \`cursor\`, that of the last one of the page before.`,
  }),
});

/** The field `cursor` of an item. */
export const itemCursor = (t: ObjectFieldBuilder<{ readonly position: number }>) =>
  t.string({
    nullable: false,
    description: 'Pass it as `after` for the page after this one.',
    resolve: ({ position }) => cursorText([String(position)]),
  });

/** The conditions of a list of jobs. Only features list them: a graph without these has no such type. */
export const jobFilterRef = lazy(() =>
  builder.inputType('JobFilter', {
    description:
      'Conditions for orders or bulk changes. Each must meet all conditions that are set.',
    fields: (t) => ({
      ...optionalInputs(t, TimeSpanRef, { created: 'Only those created in this span.' }),
      ...optionalInputs(t, 'String', {
        caller: 'Only those of this API key or token. Needs the scope `ops`.',
      }),
    }),
  }),
);

const byCreation = byTime('createdAt');

/** The order of a list of jobs. */
export const jobOrder = {
  ...byCreation,
  positionOf: ({ job }: { readonly job: JobRecord }) => byCreation.positionOf(job),
};

/** A type with the number of items in each state. `fields` has the name and the description of each state's field. */
export const progressRef = <State extends string>(
  name: string,
  description: string,
  fields: Readonly<Record<State, readonly [name: string, description: string]>>,
) =>
  builder.objectRef<Readonly<Record<State, number>>>(name).implement({
    description,
    fields: (t) =>
      Object.fromEntries(
        (Object.entries(fields) as [State, readonly [string, string]][]).map(
          ([state, [field, text]]) => [
            field,
            t.int({
              nullable: false,
              description: text,
              resolve: (progress) => progress[state],
            }),
          ],
        ),
      ),
  });
