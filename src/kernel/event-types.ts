/** The types of events. Features add their names with `declare module`. */
// biome-ignore lint/suspicious/noEmptyInterface: features add the members
export interface EventTypes {}

export type EventType = keyof EventTypes;

/** The meaning of each type, in the order of the documents. */
export const eventTypeTexts: Record<string, string> = {};

/** Adds the types of a feature. The list of features calls it. */
export const addEventTypes = (rows: Readonly<Record<string, string>>): void =>
  void Object.assign(eventTypeTexts, rows);
