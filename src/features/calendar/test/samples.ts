import {
  local,
  type Samples,
  type StoredObject,
  storedQuery,
} from '../../../../test/samples/sample.ts';

const feed = 'id name customer labels { name value }';

export const objects: Readonly<Record<string, StoredObject>> = {
  feed: {
    type: 'CalendarFeed',
    create: (label) => `createCalendarFeed(input: { name: "Of ${label}" }) { feed { id } }`,
  },
};

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
    args: ({ ids }) => ({ input: { id: ids.feed } }),
    select: 'deletedId',
    inputs: { IdInput: { base: { id: '%feed' }, fields: { id: 'none' } } },
  },
};
