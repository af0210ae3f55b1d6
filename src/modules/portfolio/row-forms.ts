/** Maximum number of forms; rows of further forms are stored in full. */
const mostForms = 16;
const mostPieces = 64;

/** The names and brackets that all rows of one form share. */
const pieces = /(?:[[{,\]}]*"(?:[^"\\]|\\.)*":[[{]*)+/g;

/** No JSON that was written without blanks holds it. */
const separator = '\n';

/**
 * Writes JSON without the names of its members, which are stored once for all rows of one form: half of it and more. The
 * forms are those of the first rows that do not fit an earlier one.
 */
export class RowForms {
  /** The first is that of no names. */
  readonly #forms: (readonly string[])[] = [[]];

  shorten(json: string): string {
    for (let form = 1; form < this.#forms.length; form += 1) {
      const values = valuesBetween(this.#forms[form] as readonly string[], json);
      if (values) return `${form}${values}`;
    }
    if (this.#forms.length > mostForms) return `0${separator}${json}`;
    this.#forms.push((json.match(pieces) ?? []).slice(0, mostPieces));
    return this.shorten(json);
  }

  /** Undoes `shorten`. */
  lengthen(text: string): string {
    const [form, ...values] = text.split(separator);
    const names = this.#forms[Number(form)] ?? [];
    return values.map((value, at) => value + (names[at] ?? '')).join('');
  }
}

/** The values between the pieces; null when a piece is missing. */
function valuesBetween(form: readonly string[], json: string): string | null {
  let [values, from] = ['', 0];
  for (const piece of form) {
    const at = json.indexOf(piece, from);
    if (at === -1) return null;
    values += separator + json.slice(from, at);
    from = at + piece.length;
  }
  return values + separator + json.slice(from);
}
