import { Fault } from '../../kernel/faults.ts';

/** Labels that registries keep for themselves everywhere (RFC 2606, and the registry agreements of gTLDs). */
const labels: ReadonlySet<string> = new Set(['example', 'nic', 'www']);
/** Two letters are a country's; everything longer is generic. */
const generic = /^[a-z]{3,}$/;

/** Whether no registry sells the label, which need not be asked about then; null when one may. */
export function reservedFault(label: string, tld: string): Fault | null {
  const isSingleLetter = /^[a-z]$/.test(label) && generic.test(tld);
  return labels.has(label) || isSingleLetter ? new Fault('RESERVED', { executed: 'NO' }) : null;
}
