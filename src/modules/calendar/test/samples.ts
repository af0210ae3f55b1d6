import { readsJournal, type Samples, writesJournal } from '../../../../test/samples/sample.ts';

const feed = 'id name customer labels { name value }';

export const samples: Samples = {
  'Query.calendarFeeds': {
    calls: readsJournal,
    args: ({ customer }) => ({ customer }),
    select: feed,
    customers: 'own',
    cached: false,
  },
  'Mutation.createCalendarFeed': {
    calls: writesJournal,
    args: ({ customer }) => ({ input: { name: 'mine', customer } }),
    select: `feed { ${feed} }`,
    customers: 'own',
    inputs: {
      CreateCalendarFeedInput: {
        base: { name: 'Feed $' },
        fields: { name: 'Other $', customer: 'acme', labels: [{ name: 'team' }] },
      },
    },
  },
  'Mutation.deleteCalendarFeed': {
    calls: writesJournal,
    args: (target) => ({ input: { id: target.feed } }),
    select: 'deletedId',
    customers: 'own',
    inputs: {
      DeleteCalendarFeedInput: { base: { id: '%feed' }, fields: { id: 'none' } },
    },
  },
};
