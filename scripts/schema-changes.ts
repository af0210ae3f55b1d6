import { type Change, CriticalityLevel, diff } from '@graphql-inspector/core';
import type { GraphQLSchema } from 'graphql';

/** The reasons for accepted breaking changes, by the name of the change in the report. */
export type Reasons = Readonly<Record<string, string>>;

interface Comparison {
  /** Breaking changes without a reason. */
  readonly breaking: readonly Change[];
  readonly accepted: readonly { readonly change: Change; readonly reason: string }[];
  readonly dangerous: readonly Change[];
  readonly safe: number;
  /** Names of accepted changes that are not breaking any more. */
  readonly stale: readonly string[];
}

export async function compareSchemas(
  base: GraphQLSchema,
  head: GraphQLSchema,
  reasons: Reasons,
): Promise<Comparison> {
  const changes = await diff(base, head);
  const of = (level: CriticalityLevel) =>
    changes.filter(({ criticality }) => criticality.level === level);
  const breaking = of(CriticalityLevel.Breaking);
  const names = new Set(breaking.map(nameOf));
  return {
    breaking: breaking.filter((change) => !Object.hasOwn(reasons, nameOf(change))),
    accepted: breaking.flatMap((change) => {
      const reason = Object.hasOwn(reasons, nameOf(change)) ? reasons[nameOf(change)] : undefined;
      return reason === undefined ? [] : [{ change, reason }];
    }),
    dangerous: of(CriticalityLevel.Dangerous),
    safe: of(CriticalityLevel.NonBreaking).length,
    stale: Object.keys(reasons).filter((name) => !names.has(name)),
  };
}

/** The kind and the place of a change, such as `FIELD_REMOVED Domain.status`. */
const nameOf = ({ type, path }: Change): string => `${type} ${path ?? ''}`.trim();

const described = (change: Change) => `${nameOf(change)}: ${change.message}`;

/** The report: one line for each change that is not safe, and the counts. */
export function report({ breaking, accepted, dangerous, safe, stale }: Comparison): string {
  const lines = [
    ...breaking.map((change) => `breaking   ${described(change)}`),
    ...accepted.map(({ change, reason }) => `accepted   ${described(change)} Reason: ${reason}`),
    ...dangerous.map((change) => `dangerous  ${described(change)}`),
    ...stale.map(
      (name) => `stale      ${name}: it is accepted but not a breaking change any more.`,
    ),
    `${breaking.length} breaking, ${accepted.length} accepted, ${dangerous.length} dangerous, ${safe} safe.`,
    ...(breaking.length > 0
      ? ['A breaking change needs a reason in schema.accepted.json, by the name it has here.']
      : []),
  ];
  return `${lines.join('\n')}\n`;
}
