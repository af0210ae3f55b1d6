import { useState } from 'react';
import { useClient } from 'urql';
import { sendChange } from '../graph/send-change.ts';
import { PlainButton } from '../shared/buttons.tsx';
import { Field } from '../shared/field.tsx';
import { focusMain } from '../shared/focus-main.ts';
import { SelectField } from '../shared/select-field.tsx';
import { customers } from './customers.ts';
import { assignDocument, labelDocument } from './documents.ts';

interface SelectionBarProps {
  readonly names: readonly string[];
  /** Called after a change. */
  readonly done: () => void;
}

/** Gives the selected domains to a customer, or labels them. */
export function SelectionBar({ names, done }: SelectionBarProps) {
  const client = useClient();
  const [label, setLabel] = useState({ name: '', value: '' });
  const [problem, setProblem] = useState('');
  const selected = [...names];

  const finish = async (change: Promise<string>) => {
    const refusal = await change;
    setProblem(refusal);
    if (refusal) return;
    focusMain();
    done();
  };
  const assign = (id: string) => {
    const input = { names: selected, customer: id === 'none' ? null : id };
    void finish(sendChange(client, assignDocument, { input }));
  };
  const change = (labels: object) =>
    void finish(sendChange(client, labelDocument, { input: { names: selected, ...labels } }));
  return (
    <section className="card selection" aria-label="Selected domains">
      <p>
        <strong>{names.length}</strong> selected
      </p>
      <SelectField
        title="Customer"
        value=""
        change={(id) => id && assign(id)}
        options={[
          ['', 'Give to …'],
          ...customers.map(({ id, name }) => [id, name] as const),
          ['none', 'none'],
        ]}
      />
      <form
        className="label-form"
        onSubmit={(event) => {
          event.preventDefault();
          change({ set: [label] });
        }}
      >
        <Field
          title="Label"
          value={label.name}
          placeholder="project"
          change={(name) => setLabel({ ...label, name })}
        />
        <Field
          title="Value"
          value={label.value}
          change={(value) => setLabel({ ...label, value })}
        />
        <button type="submit" className="button">
          Add
        </button>
        <PlainButton onClick={() => change({ remove: [label.name] })}>Remove</PlainButton>
      </form>
      <div role="alert">{problem && <p className="problem">{problem}</p>}</div>
    </section>
  );
}
