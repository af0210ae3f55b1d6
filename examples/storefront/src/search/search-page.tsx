import { useEffect, useState } from 'react';
import { useContacts } from '../contact/use-contacts.ts';
import { LinkButton } from '../shared/buttons.tsx';
import { focusMain } from '../shared/focus-main.ts';
import { rememberParameters, useRoute } from '../shared/route.ts';
import { SelectField } from '../shared/select-field.tsx';
import { useDelayed } from '../shared/use-delayed.ts';
import { BuyDialog } from './buy-dialog.tsx';
import { labelOf } from './label.ts';
import { sorted } from './order.ts';
import { BestMatch, Endings, Suggestions } from './results.tsx';
import { type Found, type Search, useSearch } from './use-search.ts';

/** Delay after the last key press before a search starts. */
const typingPauseMs = 180;

const examples = ['maple', 'bücher', 'casino', 'get-started'];

export function SearchPage() {
  const { parameters } = useRoute();
  const [text, setText] = useState(parameters.get('q') ?? '');
  const [onlyFree, setOnlyFree] = useState(false);
  const [order, setOrder] = useState('match');
  const [attempt, setAttempt] = useState(0);
  const label = useDelayed(labelOf(text), typingPauseMs);
  const search = useSearch(label, attempt);
  const { standard } = useContacts();
  const [chosen, setChosen] = useState<Found | null>(null);
  const buy = standard ? setChosen : null;

  const checkAgain = () => {
    setAttempt(attempt + 1);
    focusMain();
  };
  useEffect(() => rememberParameters('/', { q: label }), [label]);

  const shown = search.results.filter((found) => !onlyFree || isFree(found));
  const endings = sorted(
    shown.filter((one) => !one.suggested),
    order,
  );
  const best = bestOf(search);
  const hasResults = search.results.length > 0 || !search.problem;
  return (
    <>
      <section className={search.label ? 'hero hero-small' : 'hero'}>
        <h1>Find a name for it</h1>
        <search>
          <form onSubmit={(event) => event.preventDefault()}>
            <label className="unseen" htmlFor="label">
              Name to search for
            </label>
            <input
              id="label"
              type="search"
              value={text}
              onChange={(event) => setText(event.target.value)}
              placeholder="maple, bücher …"
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              enterKeyHint="search"
            />
          </form>
        </search>
        {search.label === '' && <Examples choose={setText} />}
      </section>
      <Announcement search={search} />
      {search.problem && (
        <p className="notice notice-bad" role="alert">
          {search.problem}
        </p>
      )}
      {search.label !== '' && hasResults && (
        <>
          <div className="bar">
            <Progress search={search} />
            {search.isOver && search.results.some(isRetryable) && (
              <LinkButton onClick={checkAgain}>Check unknown names again</LinkButton>
            )}
            <label className="check">
              <input
                type="checkbox"
                checked={onlyFree}
                onChange={(event) => setOnlyFree(event.target.checked)}
              />
              Only available ones
            </label>
            <SelectField title="Sort by" value={order} change={setOrder} options={orders} />
          </div>
          {best && <BestMatch found={best} buy={buy} />}
          <div className="found">
            <Endings key={label} results={endings.filter((one) => one !== best)} buy={buy} />
            <Suggestions results={sorted(shown.filter(isGoodSuggestion), 'match')} buy={buy} />
          </div>
        </>
      )}
      {chosen && standard && (
        <BuyDialog
          key={chosen.availability.name}
          found={chosen}
          contact={standard}
          close={() => setChosen(null)}
        />
      )}
    </>
  );
}

const orders = [
  ['match', 'Best match'],
  ['price', 'Price'],
] as const;

/** The first available name of the search, as soon as each name before it has a result; null without one. */
function bestOf({ results, isOver }: Search): Found | null {
  const inOrder = sorted(
    results.filter((one) => !one.suggested),
    'match',
  );
  const at = inOrder.findIndex(isFree);
  const first = inOrder[at];
  return first && (isOver || first.position === at) ? first : null;
}

const isRetryable = ({ availability }: Found) =>
  availability.state === 'UNKNOWN' && availability.retryable;

const isGoodSuggestion = (found: Found) => found.suggested && isFree(found);

const isFree = ({ availability }: Found) => availability.state === 'AVAILABLE';

const Examples = ({ choose }: { readonly choose: (text: string) => void }) => (
  <p className="examples">
    Try{' '}
    {examples.map((example) => (
      <button key={example} type="button" className="chip" onClick={() => choose(example)}>
        {example}
      </button>
    ))}
  </p>
);

/** Announces the start and the end of a search to screen readers, but not each result. */
function Announcement({ search: { label, results, isOver } }: { readonly search: Search }) {
  const free = results.filter(isFree).length;
  const announcement = isOver
    ? `${label}: ${results.length} names, ${free} of them available.`
    : `Searching for ${label} …`;
  return (
    <p className="unseen" aria-live="polite" data-testid="announcement">
      {label && announcement}
    </p>
  );
}

function Progress({ search: { results, isOver } }: { readonly search: Search }) {
  const free = results.filter(isFree).length;
  return (
    <p className="progress" aria-hidden="true">
      {!isOver && <span className="pulse" />}
      <strong>{free}</strong> available of {results.length}
      {!isOver && ' so far'}
    </p>
  );
}
