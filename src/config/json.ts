import { z } from 'zod';

/**
 * JSON text of a shape. A wrong one is told as `<what>, where <what is wrong>`, which completes "<NAME> must be …".
 *
 * Nothing of the text is in that sentence but the names of members: it may hold secrets.
 */
export const json = <Value>(
  what: string,
  shape: z.ZodType<Value>,
  whatIsWrong: (issue: z.core.$ZodIssue) => string,
) =>
  z.string().transform((text, context): Value => {
    const read = shape.safeParse(parse(text));
    if (read.success) return read.data;
    const [issue] = read.error.issues;
    context.addIssue(issue ? `${what}, where ${whatIsWrong(issue)}` : what);
    return z.NEVER;
  });

/** Undefined for text that is no JSON. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
