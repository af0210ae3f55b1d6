/** What the gateway speaks to: its sandbox or a real service. */
export type Surroundings = 'sandbox' | 'live';

/** Says at a glance whether a click can cost money. */
export const surroundingsSentence: Readonly<Record<Surroundings, string>> = {
  sandbox: 'Sandbox: nothing here costs money',
  live: 'Live: purchases are real',
};
