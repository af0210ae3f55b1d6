import { isDomainName } from '../../kernel/domain-name.ts';
import { invalidInput } from '../../kernel/faults.ts';
import { readGlobalId } from '../../kernel/ids.ts';
import type { Arguments } from './tool.ts';

/** @throws Fault `INVALID_INPUT` for text that is no domain name, for which the graph returns null as for another one. */
export function nameVariables(args: Arguments): Arguments {
  if (isDomainName(String(args.name))) return args;
  throw invalidInput('"name" is no domain name; send a whole name such as "maple.com".');
}

/** @throws Fault `INVALID_INPUT` for text that is no id, and for the id of another kind of object. */
export const idVariables =
  (type: string, noun: string, source: string) =>
  (args: Arguments): Arguments => {
    const found = readGlobalId(String(args.id))?.typename;
    if (found === type) return args;
    throw invalidInput(
      `"id" is ${found ? `the id of another kind of object, not of a ${noun}` : 'no id'}; ${source}.`,
    );
  };

/** Each label with blanks as two labels that can be registered. */
const withoutBlanks = (labels: unknown) =>
  [labels].flat().flatMap((label) => {
    const words = typeof label === 'string' ? label.trim().split(/\s+/) : [];
    return words.length > 1 ? [words.join(''), words.join('-')] : [label];
  });

/** `first` counts the suggestions too, which the graph adds to it. */
export function searchVariables({ labels, first, suggestions, ...others }: Arguments): Arguments {
  const [all, requested] = [Number(first ?? 20), Number(suggestions ?? 0)];
  const similar = Math.min(requested, Math.max(0, all - 1));
  return { ...others, labels: withoutBlanks(labels), first: all - similar, suggestions: similar };
}
