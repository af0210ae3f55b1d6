import { z } from 'zod';

/**
 * JSON text of a shape. The message for an invalid one is `<what>, where <rule>`, which completes "<NAME> must be …".
 *
 * The text can contain secrets, so the message has only names of members.
 */
export const json = <Value>(
  what: string,
  shape: z.ZodType<Value>,
  ruleOf: (issue: z.core.$ZodIssue) => string,
) =>
  z.string().transform((text, context): Value => {
    const read = shape.safeParse(parseJson(text));
    if (read.success) return read.data;
    const [issue] = read.error.issues;
    context.addIssue(issue ? `${what}, where ${ruleOf(issue)}` : what);
    return z.NEVER;
  });

/** Undefined for text that is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
