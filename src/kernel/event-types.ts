/** The types of events. Features add their names with `declare module`. */
export interface EventTypes {
  APPROVAL_REQUESTED: true;
  APPROVAL_GRANTED: true;
  APPROVAL_REJECTED: true;
  APPROVAL_EXPIRED: true;
}

export type EventType = keyof EventTypes;

/** The meaning of each type, in the order of the documents. */
export const eventTypeTexts: Record<string, string> = {
  APPROVAL_REQUESTED:
    'A request waits for the decision of another person. `subject` is the id of the approval, `caller` the key of the request.',
  APPROVAL_GRANTED: 'An approval was given. `subject` is its id, `caller` the key of the decision.',
  APPROVAL_REJECTED:
    'An approval was refused, so nothing is sent. `subject` is its id, `caller` the key of the decision.',
  APPROVAL_EXPIRED:
    'An approval was not decided or not used in time, so nothing is sent. `subject` is its id.',
};

/** Adds the types of a feature. The list of features calls it. */
export const addEventTypes = (rows: Readonly<Record<string, string>>): void =>
  void Object.assign(eventTypeTexts, rows);
