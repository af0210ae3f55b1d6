import {
  type AddressOf,
  type ToolApproval,
  waitsForApproval,
} from '../../server/mcp/tools/notes.ts';

/** A change of domains as far as its note needs it. */
export interface ToolChange {
  readonly id: string;
  readonly state: string;
  readonly approval?: ToolApproval | null;
  readonly progress?: Readonly<Record<string, number>>;
}

export function progressOf(
  { id, state, approval, progress = {} }: ToolChange,
  addressOf: AddressOf,
): string {
  if (state === 'AWAITING_APPROVAL' && approval) {
    return `${waitsForApproval(approval, addressOf)} Call \`change\` with "id": "${id}" later to find the outcome.`;
  }
  if (state === 'RUNNING') {
    return `The gateway is changing the domains. Call \`change\` with "id": "${id}" in a few seconds to find the outcome.`;
  }
  const counts = ended.flatMap(([name, words]) =>
    progress[name] ? [`${progress[name]} ${words}`] : [],
  );
  return counts.length > 0
    ? `The change has ended: ${counts.join(', ')}.`
    : 'The change has ended.';
}

/** Outcomes of domains in `progress`, in words. */
const ended = [
  ['succeeded', 'changed'],
  ['unchanged', 'had the value already'],
  ['failed', 'failed'],
  ['unknown', 'with an unknown outcome'],
  ['cancelled', 'cancelled'],
] as const;

/** Of the domains of a change that failed, when not all are shown. */
export const failedNotes = (count: number, shown: number): readonly string[] =>
  count > shown
    ? [`"items" has the first ${shown} of ${count} domains that failed or are unknown.`]
    : [];
