/** Moves the focus to the main content; call it when the focused element is removed. */
export const focusMain = (): void => document.querySelector('main')?.focus();
