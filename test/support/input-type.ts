/** The inputs that several mutations share. */
const shared: Readonly<Record<string, string>> = {
  ...{ disableTransferLock: 'DomainInput', syncDomain: 'DomainInput' },
  ...{ deleteHostingGroup: 'ConfirmInput', deleteLogs: 'ConfirmInput' },
  ...{ testWebhook: 'WebhookInput', rotateWebhookSecret: 'WebhookInput' },
};

/** The type of the input of a mutation. */
export const inputTypeOf = (mutation: string): string =>
  shared[mutation] ?? `${mutation[0]?.toUpperCase()}${mutation.slice(1)}Input`;
