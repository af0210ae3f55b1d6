import { listReply, listRow } from './downloads.ts';

const hosts = Array.from({ length: 100 }, (_, at) => `ns${at}.${'a'.repeat(50)}.example`);

export const longNames = Array.from(
  { length: 3_000 },
  (_, at) => `domain-${String(at).padStart(5, '0')}.com`,
);

/** The reply with a list whose file has 18 MB: more than all buffers between the gateway and a client that does not read. */
export const longList = listReply(longNames.map((name) => listRow(name, { NameServers: hosts })));
