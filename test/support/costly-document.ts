/** A document with an estimate of this number of upstream calls, from 6 to 101. It causes one. */
export const costlyDocument = (calls: number): string => {
  // The list of domains, and each name in case that the list leaves it out.
  const names = Array.from({ length: calls - 1 }, (_, at) => `costly-${at}.com`);
  return `{ domainsByName(names: ${JSON.stringify(names)}) { name } }`;
};
