/** `1 domain`, `2 domains`. */
export const several = (count: number, noun: string): string =>
  `${count} ${noun}${count === 1 ? '' : 's'}`;
