import { type FormEvent, useState } from 'react';
import { Card } from '../shared/card.tsx';
import { Field } from '../shared/field.tsx';
import { addChildNameServerDocument } from './changes.ts';
import type { SectionProps } from './domain-page.tsx';
import { Outcome } from './outcome.tsx';
import { useChange } from './use-change.ts';

const empty = { nameServer: '', ipAddress: '' };

/** Name servers under the domain itself. The registrar can add one, and cannot change or remove it. */
export function ChildNameServers({ domain, reread }: SectionProps) {
  const { name, childNameServers } = domain;
  const [typed, setTyped] = useState(empty);
  const change = useChange(addChildNameServerDocument, reread);
  const errorOf = (field: string) =>
    change.errors.find(({ path }) => path?.at(-1) === field)?.message ?? null;

  const add = async (event: FormEvent) => {
    event.preventDefault();
    if (await change.send({ input: { domain: name, ...typed } })) setTyped(empty);
  };

  return (
    <Card title="Child name servers">
      {childNameServers === null && <p className="problem">They could not be read.</p>}
      {childNameServers?.length === 0 && <p className="hint">None under {name}.</p>}
      <dl className="facts">
        {childNameServers?.map(({ name: host, addresses }) => (
          <div key={host}>
            <dt>{host}</dt>
            <dd>{addresses.join(', ') || 'no address'}</dd>
          </div>
        ))}
      </dl>
      <details>
        <summary>Add a child name server</summary>
        <p className="hint">The registrar can add one, and cannot change or remove it.</p>
        <form className="fields" onSubmit={(event) => void add(event)} noValidate>
          <Field
            title="Host"
            value={typed.nameServer}
            placeholder={`ns1.${name}`}
            error={errorOf('nameServer')}
            change={(nameServer) => setTyped({ ...typed, nameServer })}
          />
          <Field
            title="IP address"
            value={typed.ipAddress}
            placeholder="8.8.8.8"
            error={errorOf('ipAddress')}
            change={(ipAddress) => setTyped({ ...typed, ipAddress })}
          />
          <button type="submit" className="button">
            Add
          </button>
        </form>
      </details>
      <Outcome
        change={change}
        done="Added. It may take a moment to appear here."
        isAtField={({ path }) => ['nameServer', 'ipAddress'].includes(path?.at(-1) ?? '')}
      />
    </Card>
  );
}
