/** Moves the focus to the main content; call it when the focused element is removed. */
export const focusMain = (): void => document.querySelector('main')?.focus();

/** As `focusMain`, to the section around an element, without scrolling. Call it before the element is removed. */
export const focusSection = (element: Element): void =>
  element.closest('section')?.focus({ preventScroll: true });
