import { type AccessScope, type Caller, forbidden, mayAny } from '../../kernel/caller.ts';
import { parseDomainName } from '../../kernel/domain-name.ts';
import { type Fault, invalidInput } from '../../kernel/faults.ts';
import { type Checks, createChecks } from '../../modules/mutation/checks.ts';
import { checkNameServers } from '../../modules/name-server/rules.ts';
import { type DomainChange, isDifference } from './change.ts';

/** A change as a client sends it: exactly one member. */
export interface ChangeInput {
  readonly setNameServers?: readonly string[] | null | undefined;
  readonly replaceNameServer?: { readonly from: string; readonly to: string } | null | undefined;
  readonly addNameServer?: string | null | undefined;
  readonly removeNameServer?: string | null | undefined;
  readonly privacyProtected?: boolean | null | undefined;
  readonly sync?: boolean | null | undefined;
  readonly unlock?: boolean | null | undefined;
  readonly items?: readonly ChangeItemInput[] | null | undefined;
}

/** A domain with name servers of its own. */
export interface ChangeItemInput {
  readonly domain: string;
  readonly nameServers: readonly string[];
}

/** A change that is valid. */
export interface CheckedChange {
  readonly change: DomainChange;
  /** The name servers of each item; null without items. */
  readonly targets: readonly (readonly string[])[] | null;
}

/** The scopes of a caller that makes the change, as for the mutation of one domain. */
export const neededFor = (change: object): readonly AccessScope[] =>
  'unlock' in change ? ['domains:write', 'domains:unlock'] : ['domains:write'];

/** The change in one spelling; null, with the faults recorded, when it is not valid. `path` is that of the change in the input. */
export function checkChange(
  checks: Checks,
  path: readonly string[],
  input: ChangeInput,
  caller: Caller,
): CheckedChange | null {
  const { items } = input;
  if (!items) {
    const change = checkOne(checks, path, input, caller);
    return change && { change, targets: null };
  }
  const targets = items.map(({ nameServers }, at) => {
    // The first fault of each item: their number is bounded.
    const ofHosts = createChecks();
    const hosts = checkNameServers(ofHosts, nameServers);
    const [fault] = ofHosts.faults;
    if (fault) checks.add(moved(fault, [...path, 'items', String(at), 'nameServers']));
    return hosts;
  });
  return { change: { items: true }, targets };
}

function checkOne(
  checks: Checks,
  path: readonly string[],
  input: ChangeInput,
  caller: Caller,
): DomainChange | null {
  const host = (text: string, ...below: readonly string[]) =>
    checks.check([...path, ...below], () => parseDomainName(text));
  const { setNameServers, replaceNameServer, addNameServer, removeNameServer } = input;
  if (setNameServers) {
    const ofHosts = createChecks();
    const hosts = checkNameServers(ofHosts, setNameServers);
    for (const fault of ofHosts.faults) checks.add(moved(fault, [...path, 'setNameServers']));
    return { setNameServers: hosts };
  }
  if (replaceNameServer) {
    const from = host(replaceNameServer.from, 'replaceNameServer', 'from');
    const to = host(replaceNameServer.to, 'replaceNameServer', 'to');
    if (from !== null && from === to) {
      const message = `"from" and "to" must be different hosts; both are ${from}.`;
      checks.add(invalidInput(message, { path: [...path, 'replaceNameServer', 'to'] }));
    }
    return from && to && { replaceNameServer: { from, to } };
  }
  if (typeof addNameServer === 'string') {
    const added = host(addNameServer, 'addNameServer');
    return added && { addNameServer: added };
  }
  if (typeof removeNameServer === 'string') {
    const removed = host(removeNameServer, 'removeNameServer');
    return removed && { removeNameServer: removed };
  }
  const { privacyProtected, sync, unlock } = input;
  if (typeof privacyProtected === 'boolean') return { privacyProtected };
  const member = typeof unlock === 'boolean' ? 'unlock' : 'sync';
  if (sync !== true && unlock !== true) {
    checks.add(invalidInput(`"${member}" must be true.`, { path: [...path, member] }));
    return null;
  }
  if (member === 'sync') return { sync: true };
  if (!mayAny(caller, ['domains:unlock'])) {
    checks.add(forbidden(caller, ['domains:unlock']).with({ path: [...path, member] }));
    return null;
  }
  return { unlock: true };
}

/** The fault of a write to one domain. Its path is in the change when the value caused it; else it is about the domain. */
export function inChange(fault: Fault, change: DomainChange, position: number): Fault {
  if (fault.inputPath[1] !== 'nameServers') return fault.with({ path: [] });
  const path = ['input', 'change', ...Object.keys(change)];
  if ('items' in change) return moved(fault, [...path, String(position), 'nameServers']);
  // The client did not send the list in which a host has its position.
  return isDifference(change) ? fault.with({ path }) : moved(fault, path);
}

/** The fault of a list of name servers that has this path in the input. */
const moved = (fault: Fault, path: readonly string[]): Fault =>
  fault.with({ path: [...path, ...fault.inputPath.slice(2)] });
