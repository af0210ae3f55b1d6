import { useClient } from 'urql';
import { sentenceOf } from '../graph/error-text.ts';
import { Badge, type Tone } from '../shared/badge.tsx';
import { focusMain } from '../shared/focus-main.ts';
import { type Line, removeFromCart, startNewPurchase } from './cart.ts';
import type { Operation } from './documents.ts';
import { buy, find } from './purchase.ts';

const states: Readonly<Record<Operation['state'], { tone: Tone; word: string }>> = {
  SUCCEEDED: { tone: 'good', word: 'Registered' },
  IN_PROGRESS: { tone: 'unsure', word: 'Transfer in progress' },
  PENDING: { tone: 'unsure', word: 'Outcome unknown' },
  UNKNOWN: { tone: 'bad', word: 'Needs a check' },
  FAILED: { tone: 'bad', word: 'Not bought' },
};

/** States in which reading the purchase again may show another one. */
const open: ReadonlySet<Operation['state']> = new Set(['IN_PROGRESS', 'PENDING', 'UNKNOWN']);

/** The state of a purchase, announced when it changes, with its actions. */
export function LineState({ line }: { readonly line: Line }) {
  return (
    <div className="line-state">
      <div aria-live="polite">
        {line.stage === 'sent' && line.problems.length === 0 && (
          <Badge tone="unsure">In progress</Badge>
        )}
        {line.purchase && <Outcome purchase={line.purchase} />}
        {[...new Set([...line.problems, ...line.refusals])].map((message) => (
          <p key={message} className="problem">
            {message}
          </p>
        ))}
      </div>
      <Actions line={line} />
    </div>
  );
}

/** The graph's own `nextStep` is for the reseller; these are for the shopper. */
const nextSteps: Readonly<Partial<Record<Operation['state'], string>>> = {
  PENDING:
    'The registrar has not confirmed it yet. Do not buy it again; this page shows the outcome when it is known.',
  UNKNOWN: 'Please contact the shop before you try again.',
  FAILED: 'Nothing was charged.',
};

function Outcome({ purchase: { state, error } }: { readonly purchase: Operation }) {
  const { tone, word } = states[state];
  return (
    <>
      <Badge tone={tone}>{word}</Badge>
      {state !== 'SUCCEEDED' && (
        <p className="next-step">
          {state === 'FAILED' && error && `${sentenceOf(error)} `}
          {nextSteps[state]}
        </p>
      )}
    </>
  );
}

export function closeLine(key: string): void {
  removeFromCart(key);
  focusMain();
}

function Actions({ line: { key, stage, purchase, problems } }: { readonly line: Line }) {
  const client = useClient();
  const isStuck = stage === 'sent' && problems.length > 0;
  const isOpen = purchase !== undefined && purchase !== null && open.has(purchase.state);
  return (
    <p className="actions">
      {isStuck && <Action name="Send again" act={() => buy(client, key)} />}
      {(isStuck || isOpen) && <Action name="Check again" act={() => find(client, key)} />}
      {purchase?.state === 'FAILED' && (
        <Action name="Try again" act={() => startNewPurchase(key)} />
      )}
      {purchase && !isOpen && <Action name="Close" act={() => closeLine(key)} />}
    </p>
  );
}

const Action = ({ name, act }: { readonly name: string; readonly act: () => unknown }) => (
  <button type="button" className="link" onClick={() => void act()}>
    {name}
  </button>
);
