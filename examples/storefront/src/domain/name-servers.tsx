import { type FormEvent, useState } from 'react';
import { LinkButton, PlainButton } from '../shared/buttons.tsx';
import { Card } from '../shared/card.tsx';
import { focusSection } from '../shared/focus-main.ts';
import { type ChangeError, setNameServersDocument } from './changes.ts';
import type { SectionProps } from './domain-page.tsx';
import { HostField } from './host-field.tsx';
import { Outcome } from './outcome.tsx';
import { useChange } from './use-change.ts';

/** A line of the editor. */
interface Line {
  readonly id: number;
  readonly host: string;
}

const linesOf = (hosts: readonly string[]): readonly Line[] =>
  hosts.map((host, id) => ({ id, host }));

const mostNameServers = 13;

/** The name servers. The typed text stays until the registrar has it. */
export function NameServers({ domain: { name, nameServers }, reread }: SectionProps) {
  const [draft, setDraft] = useState<readonly Line[] | null>(null);
  const change = useChange(setNameServersDocument, reread);
  const lines = draft ?? linesOf(nameServers ?? []);

  const save = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const hosts = lines.map(({ host }) => host);
    const isMade = await change.send({ input: { domain: name, nameServers: hosts } });
    // Text that was typed since then stays.
    if (!isMade) return;
    focusSection(form);
    setDraft((now) => (now === draft ? null : now));
  };
  /** Lines that move make the positions of the errors wrong, also of those that have not arrived. */
  const move = (moved: readonly Line[]) => {
    if (change.stage === 'sending') return;
    change.reset();
    setDraft(moved);
  };
  const nextId = Math.max(-1, ...lines.map(({ id }) => id)) + 1;

  return (
    <Card title="Name servers">
      {nameServers === null && <p className="problem">The name servers could not be read.</p>}
      <form onSubmit={(event) => void save(event)} noValidate>
        <ol className="hosts">
          {lines.map(({ id, host }, position) => (
            <HostField
              key={id}
              label={`Name server ${position + 1}`}
              value={host}
              error={errorAt(change.errors, position)}
              isNew={draft !== null && host === ''}
              change={(typed) =>
                setDraft(lines.map((line) => (line.id === id ? { id, host: typed } : line)))
              }
              remove={() => move(lines.filter((line) => line.id !== id))}
            />
          ))}
        </ol>
        {draft && nameServers && (
          <p className="hint">At the registrar: {nameServers.join(', ') || 'none'}</p>
        )}
        <div className="actions">
          <LinkButton
            aria-disabled={lines.length >= mostNameServers}
            onClick={() =>
              lines.length < mostNameServers && move([...lines, { id: nextId, host: '' }])
            }
          >
            Add a name server
          </LinkButton>
          {draft && (
            <>
              <PlainButton
                onClick={(event) => {
                  focusSection(event.currentTarget);
                  change.reset();
                  setDraft(null);
                }}
              >
                Discard
              </PlainButton>
              <button type="submit" className="button">
                Save
              </button>
            </>
          )}
        </div>
      </form>
      <Outcome
        change={change}
        done="The registrar has the new name servers."
        isAtField={({ path }) => positionOf(path) !== null}
      />
    </Card>
  );
}

/** The line that an error is about; null for one about all of them. */
function positionOf(path: ChangeError['path']): number | null {
  const [, member, position] = path ?? [];
  return member === 'nameServers' && position !== undefined ? Number(position) : null;
}

const errorAt = (errors: readonly ChangeError[], position: number): string | null =>
  errors.find(({ path }) => positionOf(path) === position)?.message ?? null;
