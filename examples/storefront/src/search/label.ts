/** What precedes and follows the host in a pasted address. */
const scheme = /^(?:[a-z][a-z\d+.-]*:)?\/\//i;
const afterHost = /(?::\d*)?(?:[/?#].*)?$/s;

/**
 * The name in the text so far. Of the address of a website it is the host. Blanks and signs such as `&` become hyphens,
 * apostrophes and hyphens and dots at the ends are removed.
 */
export function labelOf(text: string): string {
  const typed = text.trim();
  const host = typed.replace(scheme, '').replace(afterHost, '');
  // Without a dot, words like "and/or" would be read as an address too.
  const name = host.includes('.') ? host : typed;
  return name
    .replace(/['’]/g, '')
    .replace(/-*[^\p{L}\p{M}\p{N}./:?#@-]+-*/gu, '-')
    .replace(/^[-.]+|[-.]+$/g, '');
}

/** The error of a label that needs no request to detect; null without one. */
export function labelError(label: string): string | null {
  if (/[/:?#@]/.test(label)) return 'Enter the name only, such as maple-field.';
  return isTooLong(label)
    ? 'This name is too long. A name has at most 63 letters, and fewer with letters such as ü or я.'
    : null;
}

/** Whether a part of the name is too long in the form in which it is registered, such as `xn--bcher-kva`. */
function isTooLong(label: string): boolean {
  const address = `http://${label}.com`;
  const registered = URL.canParse(address) ? new URL(address).hostname : label;
  return registered.split('.').some((part) => part.length > 63);
}
