export const yearsText = (years: number): string => (years === 1 ? '1 year' : `${years} years`);
