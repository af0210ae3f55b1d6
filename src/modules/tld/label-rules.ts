import { type DomainName, isLookalike } from '../../kernel/domain-name.ts';
import { Fault, invalidInput, valueOr } from '../../kernel/faults.ts';
import type { TldDetails } from '../../upstream/domain-api/tld-shapes.ts';

/** Why the registrar does not sell `name`, which is `label` under `tld`, as far as its catalogue says; null otherwise. */
export function saleFault(name: DomainName, label: string, tld: TldDetails): Fault | null {
  const status = valueOr(tld.status, null)?.trim().toLowerCase();
  return status === undefined || status === 'active'
    ? labelFault(name, label, tld)
    : new Fault('TLD_UNSUPPORTED', { message: `.${tld.name} is not sold at present.` });
}

/** The refusal of a name that `isLookalike`; null for any other. */
export const lookalikeFault = (name: DomainName): Fault | null =>
  isLookalike(name)
    ? invalidInput(
        `"${name}" imitates another name with letters or marks that look alike, which registries refuse.`,
      )
    : null;

/** Why no registry can sell `name`, which is `label` under `tld`; null when no rule is broken. */
export function labelFault(name: DomainName, label: string, tld: TldDetails): Fault | null {
  const lookalike = lookalikeFault(name);
  if (lookalike) return lookalike;
  if (label.includes('.')) {
    return invalidInput(
      `A domain has one label before the TLD: register "${label.split('.').at(-1)}.${tld.name}", not "${name}".`,
    );
  }
  const minimum = valueOr(tld.minLength, 1);
  const maximum = valueOr(tld.maxLength, 63);
  if (label.length >= minimum && label.length <= maximum) return null;
  return invalidInput(
    `A name under .${tld.name} has ${minimum} to ${maximum} characters; "${label}" has ${label.length}.`,
    { facts: { minimum, maximum } },
  );
}
