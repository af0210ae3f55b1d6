/** A challenge of `www-authenticate` (RFC 6750). */
export function bearerChallenge(parameters: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(parameters).map(
    ([name, value]) => `${name}="${value.replaceAll('"', "'")}"`,
  );
  return `Bearer ${pairs.join(', ')}`.trimEnd();
}
