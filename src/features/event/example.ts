import type { Example } from '../../server/ui/graphiql/examples.ts';

export const example: Example = {
  query: `# What changed, oldest first. The registrar sends no
# events: the gateway compares the account every
# EVENTS_INTERVAL_SECONDS, by default 10 in the sandbox
# and 300 with a live registrar.
# A cursor continues where you ended.
query Events {
  events(last: 20) {
    totalCount
    nodes { cursor type foundAt subject before { text } after { text } source }
  }
}

subscription NewEvents {
  events { cursor type subject before { text } after { text } }
}
`,
  isForLive: true,
};
