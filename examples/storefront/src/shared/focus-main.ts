/** Where the focus goes on from when what had it is taken away: else it would begin again at the top of the page. */
export const focusMain = (): void => document.querySelector('main')?.focus();
