import { createHash } from 'node:crypto';
import type { Caller } from '../../kernel/caller.ts';
import { invalidInput } from '../../kernel/faults.ts';
import { createSeal } from '../../lib/sealed-text.ts';
import { systemRandomBytes } from '../../lib/system.ts';
import type { TenantFacts } from '../../scope/tenant.ts';
import { objectSchema } from './json-schema.ts';
import type { HandleStore } from './store.ts';

const validMs = 10 * 60_000;
const maxInputBytes = 32 * 1024;
/** Base 32 by Crockford: without i, l and o, which look like digits. A handle has 80 random bits. */
const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';
const length = 16;
const format = new RegExp(`^[${alphabet}]{${length}}$`);

/** The tools of a second step, with the tools that return their handles and that show their outcomes, and the end of a refusal. */
const steps = {
  buy: { first: 'quote_purchase', outcome: 'purchases', nothing: 'This call bought nothing.' },
  apply_change: {
    first: 'preview_change',
    outcome: 'domain',
    nothing: 'This call changed nothing.',
  },
} as const;

type SecondStep = keyof typeof steps;

export interface HandleDeps extends Pick<TenantFacts, 'account' | 'clock'> {
  readonly handles: HandleStore;
}

export type Handles = ReturnType<typeof createHandles>;

/**
 * Creates and reads the handles of quotes and previews. The journal has the input of the second step for ten minutes, encrypted
 * with a key that is derived from the handle. The idempotency key is derived from it too, so that its step is executed once.
 */
export function createHandles(depsOf: (caller: Caller) => HandleDeps) {
  /** Differs by caller, so that a handle of another caller is not found. */
  const derive = (purpose: string, { tenant, name }: Caller, handle: string) =>
    createHash('sha256').update(JSON.stringify([purpose, tenant, name, handle]));
  const idOf = (caller: Caller, handle: string) => derive('id', caller, handle).digest('hex');
  const sealOf = (caller: Caller, handle: string) =>
    createSeal(derive('seal', caller, handle).digest());

  return {
    /** @throws Fault `INVALID_INPUT` for an input that is too long. */
    async make(caller: Caller, tool: SecondStep, content: object) {
      const text = JSON.stringify(content);
      if (Buffer.byteLength(text) > maxInputBytes) throw invalidInput(tooLong);
      const { handles, account, clock } = depsOf(caller);
      const bytes = [...systemRandomBytes(length)];
      const handle = bytes.map((byte) => alphabet[byte % alphabet.length]).join('');
      const id = idOf(caller, handle);
      const input = sealOf(caller, handle).seal(text, [tool]);
      const now = clock.now();
      const expiresAt = new Date(now.getTime() + validMs);
      const stored = { id, tool, input, caller: caller.name, expiresAt };
      await handles.add(account, stored, now);
      return { handle, handleExpiresAt: expiresAt.toISOString() };
    },
    /**
     * The input, null when there is none or it has expired, and its idempotency key.
     *
     * @throws Fault `INVALID_INPUT` for a text that is no handle, and for a handle of another tool.
     */
    async read<Input extends object>(caller: Caller, tool: SecondStep, handle: unknown) {
      if (typeof handle !== 'string' || !format.test(handle)) throw invalidInput(noHandle(tool));
      const { handles, account, clock } = depsOf(caller);
      const found = await handles.find(account, idOf(caller, handle), clock.now());
      if (found && found.tool !== tool) throw invalidInput(ofOtherTool(found.tool as SecondStep));
      const text = found && sealOf(caller, handle).open(found.input, [tool]);
      const key = `mcp-${derive('key', caller, handle).digest('hex')}`;
      return { input: text === null ? null : (JSON.parse(text) as Input), key };
    },
  };
}

/** What the tools of a second step have in common. A value of any type reaches `read`, whose sentences have the next step. */
export const secondStep = (tool: SecondStep) => ({
  name: tool,
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true },
  inputSchema: objectSchema([['handle', { type: ['string', 'number', 'boolean', 'object'] }]], []),
  listedSchema: objectSchema(
    [['handle', { type: 'string', description: `From \`${steps[tool].first}\`.` }]],
    ['handle'],
  ),
});

const tooLong = 'This input has more than 32 KB. Shorten it; for many domains use a filter.';

const noHandle = (tool: SecondStep) =>
  `A handle is text of 16 lower-case letters and digits, without blanks. Copy the handle of \`${steps[tool].first}\` exactly. ${steps[tool].nothing}`;

const ofOtherTool = (tool: SecondStep) =>
  `This handle is of \`${steps[tool].first}\`: call \`${tool}\` with it. This call did nothing.`;

export const unknownHandle = (tool: SecondStep) =>
  invalidInput(
    `This caller has no such handle, or it has expired after ten minutes. Copy it exactly. If it may have been used, read \`${steps[tool].outcome}\`; otherwise call \`${steps[tool].first}\` again. ${steps[tool].nothing}`,
  );
