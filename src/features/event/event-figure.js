// @ts-check
import { detail, linesOf, main } from '../../server/ui/live-figures.js';
import { timeOf, wordsOf } from '../../server/ui/page-script.js';

/** @typedef {{ type: string, subject: string, before: { text: string } | null, after: { text: string } | null, foundAt: string }} Event */

/** @param {{ events: { totalCount: number, nodes: readonly Event[] } }} data */
linesOf.events = ({ events: { totalCount, nodes } }) => [
  main(totalCount === 0 ? 'None' : `${totalCount} stored`),
  ...nodes.toReversed().map(({ type, subject, before, after, foundAt }) => {
    const change = [before, after].flatMap((value) => value?.text ?? []).join(' → ');
    return detail(`${timeOf(foundAt)} ${wordsOf(type)}: ${subject}${change && ` (${change})`}`);
  }),
];
