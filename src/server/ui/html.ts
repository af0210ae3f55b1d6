/** Markup; every other text is escaped. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Part = string | Html | readonly Html[];

/** A template whose values are escaped unless they are markup. */
export const html = (texts: TemplateStringsArray, ...parts: readonly Part[]): Html =>
  new Html(texts.map((text, index) => text + textOf(parts[index] ?? '')).join(''));

/** A text in which backticks mark code. */
export const prose = (text: string): Html =>
  new Html(escaped(text).replace(/`([^`]+)`/g, '<code>$1</code>'));

function textOf(part: Part): string {
  if (typeof part === 'string') return escaped(part);
  return part instanceof Html ? part.text : part.map(({ text }) => text).join('');
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const escaped = (text: string) => text.replace(/[&<>"']/g, (sign) => entities[sign] ?? sign);
