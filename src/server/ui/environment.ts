/** Whether the upstream is the sandbox or a real service. */
export type Environment = 'sandbox' | 'live';

/** Shown on every page, because a click may cost money. */
export const environmentBanner: Readonly<Record<Environment, string>> = {
  sandbox: 'Sandbox: nothing here costs money',
  live: 'Live: purchases are real',
};
