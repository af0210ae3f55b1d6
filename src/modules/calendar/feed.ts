/** The path at which every calendar feed is read. */
export const calendarPath = '/calendar.ics';

/** Calendar feeds of a customer at most, and of the reseller. */
export const maxFeeds = 20;
