/** A secret that was planted. */
export interface Canary {
  readonly kind: string;
  readonly value: string;
}

export interface Leak {
  readonly kind: string;
  readonly encoding: string;
  readonly where: string;
}

/** Every encoding of a text. */
function formsOf(value: string): readonly (readonly [encoding: string, form: string])[] {
  const bytes = Buffer.from(value);
  const hex = bytes.toString('hex');
  const json = JSON.stringify(value).slice(1, -1);
  return [
    ['plain', value],
    ['JSON', json],
    ['JSON in JSON', JSON.stringify(json).slice(1, -1)],
    [
      'JSON, escaped',
      [...value].map((one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`).join(''),
    ],
    ['percent', encodeURIComponent(value)],
    ['percent, all', hex.replace(/../g, '%$&')],
    ['hex', hex],
    ['UTF-16', [...value].join('\0')],
    ['reversed', [...value].reverse().join('')],
    ...[0, 1, 2].flatMap((shift) => base64Of(bytes, shift)),
  ];
}

/** Its base64 at `shift` bytes after a multiple of three, without the characters that depend on neighbouring bytes. */
function base64Of(bytes: Buffer, shift: number): (readonly [string, string])[] {
  const whole = Buffer.concat([Buffer.alloc(shift), bytes]);
  const [from, to] = [Math.ceil((shift * 8) / 6), Math.floor((whole.length * 8) / 6)];
  return (['base64', 'base64url'] as const).map((encoding) => [
    encoding,
    whole.toString(encoding).slice(from, to),
  ]);
}

/** Finds secrets in a text, in every encoding and in upper or lower case. */
export function createScanner(canaries: readonly Canary[]) {
  const needles = canaries.flatMap(({ kind, value }) =>
    formsOf(value).map(([encoding, form]) => ({ kind, encoding, form: form.toLowerCase() })),
  );
  return (where: string, written: string | Buffer): readonly Leak[] => {
    const read =
      typeof written === 'string'
        ? written
        : `${written.toString('latin1')}\n${written.toString('utf8')}`;
    const small = read.toLowerCase();
    return needles
      .filter(({ form }) => small.includes(form))
      .map(({ kind, encoding }) => ({ kind, encoding, where }));
  };
}

/** Collects its findings in all texts that it receives. */
export function watchSecrets(secrets: readonly Canary[]) {
  const scan = createScanner(secrets);
  const leaks: Leak[] = [];
  return {
    leaks: leaks as readonly Leak[],
    look: (where: string, written: string): void => void leaks.push(...scan(where, written)),
  };
}
