import type { Figure } from '../../server/ui/figures.ts';

export const figures: readonly Figure[] = [
  {
    id: 'events',
    title: 'Latest events',
    query:
      'query HomeEvents { events(last: 5) { totalCount nodes { type subject before { text } after { text } foundAt } } }',
    everyMs: 15_000,
    needs: 'the scope events:read',
    script: new URL('./event-figure.js', import.meta.url),
  },
];
