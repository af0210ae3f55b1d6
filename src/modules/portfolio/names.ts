/** Gives each text a number, the same for the same text: a column holds these. */
export class Names {
  readonly texts: string[] = [];
  readonly #numbers = new Map<string, number>();

  numberOf(text: string): number {
    const known = this.#numbers.get(text);
    if (known !== undefined) return known;
    this.#numbers.set(text, this.texts.length);
    return this.texts.push(text) - 1;
  }

  /** That of a text which is known by its number elsewhere. */
  numberIn(others: Names, number: number): number {
    return this.numberOf(others.texts[number] ?? '');
  }

  /** 1 for each text that passes. */
  marked(test: (text: string) => boolean): Uint8Array {
    return Uint8Array.from(this.texts, (text) => Number(test(text)));
  }
}
