import { type Change, CriticalityLevel, diff } from '@graphql-inspector/core';
import type { GraphQLSchema } from 'graphql';

/** Why a breaking change is made all the same, by its name as the report shows it. */
export type Reasons = Readonly<Record<string, string>>;

interface Comparison {
  /** Those that have no reason. */
  readonly breaking: readonly Change[];
  readonly accepted: readonly { readonly change: Change; readonly reason: string }[];
  readonly dangerous: readonly Change[];
  readonly safe: number;
  /** Names of accepted changes that are none any more. */
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

/** What was done and where, such as `FIELD_REMOVED Domain.status`. */
const nameOf = ({ type, path }: Change): string => `${type} ${path ?? ''}`.trim();

const described = (change: Change) => `${nameOf(change)}: ${change.message}`;

/** What a person reads: one line for each change that matters, and how many there are that do not. */
export function report({ breaking, accepted, dangerous, safe, stale }: Comparison): string {
  const lines = [
    ...breaking.map((change) => `breaking   ${described(change)}`),
    ...accepted.map(({ change, reason }) => `accepted   ${described(change)} Reason: ${reason}`),
    ...dangerous.map((change) => `dangerous  ${described(change)}`),
    ...stale.map(
      (name) => `stale      ${name}: it is accepted, and is no breaking change any more.`,
    ),
    `${breaking.length} breaking, ${accepted.length} accepted, ${dangerous.length} dangerous, ${safe} safe.`,
    ...(breaking.length > 0
      ? ['A breaking change needs a reason in schema.accepted.json, by the name it has here.']
      : []),
  ];
  return `${lines.join('\n')}\n`;
}
