import { expect } from 'vitest';
import { visitsOf } from './neighbour.ts';

/** What the neighbour lists, as both graphs together tell it with `name visits expiresAt`: ours has no `nobody…`. */
export const listed = (names: readonly string[]) =>
  names.map((name) => ({
    name,
    visits: visitsOf(name),
    expiresAt: name.startsWith('nobody') ? null : expect.stringMatching(/^\d{4}-/),
  }));

/** A page of ours with what the neighbour makes of a field of it. */
export const pageWithReminders = '{ domains(first: 40) { nodes { name visits reminder } } }';

export function expectReminders({
  domains,
}: {
  domains: { nodes: readonly { name: string; visits: number; reminder: string }[] };
}): void {
  expect(domains.nodes).toHaveLength(40);
  for (const { name, visits, reminder } of domains.nodes) {
    expect(visits).toBe(visitsOf(name));
    expect(reminder).toMatch(/ends on \d{4}-\d\d-\d\d$/);
  }
}
