import { several } from '../../../lib/text.ts';
import type { FeatureTools } from '../../../seam/feature.ts';
import type { Operations } from '../../../server/graphql/run-operation.ts';
import type { HttpRequest } from '../../../server/http/http-request.ts';
import { type Handles, secondStep, unknownHandle } from '../../mcp/handle.ts';
import { variablesSchema, withValue, type Arguments } from '../../mcp/json-schema.ts';
import {
  type AddressOf,
  approvalAddress,
  replayedHandle,
  type ToolApproval,
  waitsForApproval,
} from '../../mcp/notes.ts';
import { idVariables } from '../../mcp/read-tools.ts';
import type { Tool } from '../../mcp/tool.ts';
import { prepareDocument } from '../../mcp/tool-document.ts';
import {
  failedResult,
  hiddenParts,
  type PayloadError,
  sentencesOf,
  type ToolError,
  toolResult,
} from '../../mcp/tool-result.ts';
import { coverageNotes } from '../../portfolio/with/mcp.ts';

/** A change of domains as far as its note needs it. */
interface ToolChange {
  readonly id: string;
  readonly state: string;
  readonly approval?: ToolApproval | null;
  readonly progress?: Readonly<Record<string, number>>;
}

interface Preview {
  readonly count: number | null;
  readonly coverage: { readonly nextStep: string | null } | null;
  readonly unchanged: number | null;
  readonly refused: number | null;
  readonly refusals: readonly { readonly state: string | null; readonly count: number }[];
  readonly sample: readonly unknown[];
  readonly errors: readonly PayloadError[];
}

interface Applied {
  /** Whether the change was begun by an earlier call. */
  readonly replayed?: boolean;
  readonly bulkChange: ToolChange | null;
  readonly errors: readonly PayloadError[];
}

const changeFields =
  'id state approval { id state expiresAt } progress { succeeded unchanged failed unknown cancelled }';
const errorFields = 'errors { code message path executed retryable }';

/** The tools that change domains. `apply_change` needs the handle of a preview of the same change. */
function createChangeTools(options: Operations, handles: Handles): readonly Tool[] {
  const preview = prepareDocument(
    options,
    `query PreviewChange($names: [String!], $filter: DomainFilter, $change: BulkChangeInput!) {
      previewBulkChange(names: $names, filter: $filter, change: $change) {
        count unchanged refused refusals { state count } coverage { nextStep } sample { domainName before { text } after { text } } ${errorFields}
      }
    }`,
  );
  const apply = prepareDocument(
    options,
    `mutation ApplyChange($input: ChangeDomainsInput!) {
      changeDomains(input: $input) { replayed bulkChange { ${changeFields} } ${errorFields} }
    }`,
  );
  const earlier = prepareDocument(
    options,
    `query AppliedBefore($key: String!) { bulkChange(by: { key: $key }) { ${changeFields} } }`,
  );
  /** The payload for a handle that has expired. @throws Fault `INVALID_INPUT` when it has started no change. */
  const readEarlier = async (request: HttpRequest, key: string) => {
    const { main, errors } = await earlier.run<ToolChange>(request, { key });
    if (errors.length === 0 && !main) throw unknownHandle('apply_change');
    return { main: main && { replayed: true, bulkChange: main, errors: [] }, errors };
  };
  const inputSchema = variablesSchema(options.schema, preview.operation, {
    bounds: {
      names: { maxItems: 100, description: 'Complete names; more than 100 need a filter.' },
    },
    texts,
    without: notOffered,
  });
  return [
    {
      name: 'preview_change',
      title: 'Preview a change of domains',
      description:
        'Returns what a change would do, with a handle. Changes nothing. Give "names" or "filter". Show the result to the user, and call `apply_change` only when the user agrees. Upstream calls: at most one.',
      annotations: { readOnlyHint: true },
      inputSchema,
      listedSchema: withValue(inputSchema, 'enum', undefined),
      needed: preview.needed,
      async run(request, args) {
        const { main: found, errors } = await preview.run<Preview>(request, args);
        if (!found) return failedResult(errors);
        const { count, unchanged, refused, sample, coverage } = found;
        if (found.errors.length > 0 || count === null) {
          return unchangedResult(preview.named(found.errors));
        }
        const input = { ...args, expectedCount: count };
        const made = await handles.make(request.caller, 'apply_change', input);
        return toolResult({ previewBulkChange: { count, unchanged, refused, sample } }, [
          `${describeChange(found, count, args)} Nothing was changed. When the user agrees, call \`apply_change\` with "handle": "${made.handle}". It expires at ${made.handleExpiresAt}.`,
          ...(sample.length < count
            ? [`"sample" has the first ${sample.length} of ${count}.`]
            : []),
          // A filter leaves out the domains that the list does not have.
          ...(args.filter && coverage ? coverageNotes(coverage) : []),
        ]);
      },
    },
    {
      ...secondStep('apply_change'),
      title: 'Apply a previewed change',
      description:
        'Starts the change that `preview_change` showed. Read `change` to find the outcome. A handle is applied once: the same call again returns the same change. Upstream calls: one for a filter, and later two per domain.',
      needed: apply.needed,
      async run(request, { handle }) {
        const { input, key } = await handles.read(request.caller, 'apply_change', handle);
        const { main: applied, errors } = input
          ? await apply.run<Applied>(request, { input: { ...input, idempotencyKey: key } })
          : await readEarlier(request, key);
        if (!applied) return failedResult(errors, [applyAgain]);
        const { bulkChange } = applied;
        if (!bulkChange) return unchangedResult(applied.errors);
        return toolResult({ ...applied }, [
          ...(applied.replayed ? [replayedHandle('changed')] : []),
          progressOf(bulkChange, (id) => approvalAddress(request, id)),
        ]);
      },
    },
  ];
}

const texts = {
  filter: 'The listed domains that match all conditions; `{}` is all of them.',
  states: 'Such as `ACTIVE`. Default: all, also domains that are gone.',
  change: 'Exactly one member.',
  'change.privacyProtected': 'False publishes the contacts.',
  replaceNameServer: 'In the domains that have it.',
  setNameServers: '1 to 13 hosts; many TLDs require 2.',
  sync: 'True: synchronizes with the registries.',
};

/** A list of up to 2000 domains is for programs, and a lock that is removed cannot be set again. */
const notOffered: ReadonlySet<string> = new Set(['items', 'unlock']);

/** The effect of a change for the user to confirm. */
function describeChange(
  { unchanged, refused, refusals }: Preview,
  count: number,
  { filter, change }: Arguments,
): string {
  const isOfAll = filter && Object.values(filter).every((condition) => condition === null);
  const left = count - (unchanged ?? 0) - (refused ?? 0);
  const { privacyProtected } = change as { readonly privacyProtected?: boolean | null };
  const reasons = refusals.map(
    (one) =>
      `${one.count} ${one.state ? `in the state ${one.state}` : 'because of the number of name servers'}`,
  );
  return [
    `The change is for ${isOfAll ? 'all domains of the account: ' : ''}${several(count, 'domain')}; ${unchanged} of them ${unchanged === 1 ? 'has' : 'have'} the value already.`,
    ...(privacyProtected === false && left > 0
      ? [`It publishes the contacts of ${several(left, 'domain')}.`]
      : []),
    ...(reasons.length > 0 ? [`${refused} will fail: ${reasons.join(', ')}.`] : []),
  ].join(' ');
}

const applyAgain =
  'Call `apply_change` with the same handle to find the outcome; nothing is changed twice.';

const unchangedResult = (errors: readonly ToolError[]) =>
  toolResult(hiddenParts(errors), [`Nothing was changed. ${sentencesOf(errors)}`], true);

function progressOf(
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

export const tools: FeatureTools = {
  reading: {
    change: {
      title: 'Read a change of domains',
      description:
        'Returns the progress of a change that `apply_change` started, with the domains that failed. Upstream calls: none.',
      isLocal: true,
      document: /* GraphQL */ `
        query Change($id: ID!) {
          bulkChange(by: { id: $id }) {
            id state createdAt finishedAt change { setNameServers replaceNameServer { from to } addNameServer removeNameServer privacyProtected sync unlock items }
            approval { id state expiresAt reason }
            progress { waiting running succeeded unchanged failed unknown cancelled }
            items(states: [FAILED, UNKNOWN], first: 10) {
              domainName state errors { code message upstreamMessage }
            }
          }
        }
      `,
      bounds: { id: { description: 'From `apply_change`.' } },
      variables: idVariables('BulkChange', 'change', '`apply_change` returns the id of a change'),
      absent: 'This caller has no such change.',
      notes: ({ bulkChange }, addressOf) => [
        progressOf(bulkChange, addressOf),
        ...failedNotes(
          bulkChange.progress.failed + bulkChange.progress.unknown,
          bulkChange.items.length,
        ),
      ],
    },
  },
  createWriting: createChangeTools,
};
