import { local, type Samples, storedQuery } from '../../../../test/samples/sample.ts';

const feed = 'id name customer labels { name value }';

export const samples: Samples = {
  'Query.calendarFeeds': {
    ...storedQuery,
    args: ({ customer }) => ({ customer }),
    select: feed,
  },
  'Mutation.createCalendarFeed': {
    ...local,
    args: ({ customer }) => ({ input: { name: 'mine', customer } }),
    select: `feed { ${feed} }`,
    inputs: {
      CreateCalendarFeedInput: {
        base: { name: 'Feed $' },
        fields: { name: 'Other $', customer: 'acme', labels: [{ name: 'team' }] },
      },
    },
  },
  'Mutation.deleteCalendarFeed': {
    ...local,
    args: (target) => ({ input: { id: target.feed } }),
    select: 'deletedId',
    inputs: { DeleteCalendarFeedInput: { base: { id: '%feed' }, fields: { id: 'none' } } },
  },
};
