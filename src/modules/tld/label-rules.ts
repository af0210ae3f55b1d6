import { type DomainName, isLookalike } from '../../kernel/domain-name.ts';
import { Fault } from '../../kernel/faults.ts';
import { leafOr } from '../../kernel/leaf.ts';
import type { TldDetails } from '../../upstream/domain-api/tld-shapes.ts';

/** Why no registry can sell `name`, which is `label` under `tld`; null when nothing speaks against it. */
export function labelFault(name: DomainName, label: string, tld: TldDetails): Fault | null {
  if (isLookalike(name)) {
    return new Fault('INVALID_INPUT', {
      message: `"${name}" imitates another name with letters of another script, which registries refuse.`,
    });
  }
  const minimum = leafOr(tld.minLength, 1);
  const maximum = leafOr(tld.maxLength, 63);
  if (label.length >= minimum && label.length <= maximum) return null;
  return new Fault('INVALID_INPUT', {
    message: `A name under .${tld.name} has ${minimum} to ${maximum} characters; "${label}" has ${label.length}.`,
    facts: { minimum, maximum, asked: label.length },
  });
}
