interface SelectFieldProps {
  readonly title: string;
  readonly value: string;
  readonly change: (value: string) => void;
  /** Each with its value and its text. */
  readonly options: readonly (readonly [value: string, text: string])[];
}

export const SelectField = ({ title, value, change, options }: SelectFieldProps) => (
  <label className="field">
    <span>{title}</span>
    <select value={value} onChange={(event) => change(event.target.value)}>
      {options.map(([one, text]) => (
        <option key={one} value={one}>
          {text}
        </option>
      ))}
    </select>
  </label>
);
