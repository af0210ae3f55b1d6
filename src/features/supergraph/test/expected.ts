import { expect } from 'vitest';
import { visitsOf } from './neighbour.ts';

/** The domains of the neighbour with `name visits expiresAt` of both graphs. Our graph has no domain `not-registered…`. */
export const listed = (names: readonly string[]) =>
  names.map((name) => ({
    name,
    visits: visitsOf(name),
    expiresAt: name.startsWith('not-registered') ? null : expect.stringMatching(/^\d{4}-/),
  }));

/** A page of our domains with the field that the neighbour computes. */
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
