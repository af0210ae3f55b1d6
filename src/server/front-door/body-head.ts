import { badRequest, type Check } from './arrival.ts';

/** A body comes whole or in chunks, and only where one is expected. Node has refused what has a length and chunks both. */
export const checkTransfer: Check = ({ method, headers, hasBody }) => {
  const encoding = headers['transfer-encoding'];
  if (encoding !== undefined && encoding.toLowerCase() !== 'chunked')
    return badRequest(400, noChunks);
  return hasBody && method !== 'POST' ? badRequest(400, noBody) : null;
};

const noChunks = 'The only `transfer-encoding` that is understood here is `chunked`.';
const noBody = 'Only a POST has a body.';

/** A body is JSON in UTF-8, as it is: no HTML form of a foreign site sends that without asking first, and no bomb is unpacked. */
export const checkMediaType: Check = ({ method, headers }) => {
  if (method !== 'POST') return null;
  const accept = { accept: 'application/json' };
  const type = headers['content-type'] ?? '';
  if (!json.test(type)) return { ...badRequest(415, onlyJson), headers: accept };
  const charset = /;\s*charset\s*=\s*"?([^\s;"]*)/i.exec(type)?.[1];
  if (charset !== undefined && !/^utf-?8$/i.test(charset)) {
    return { ...badRequest(415, onlyUtf8), headers: accept };
  }
  return headers['content-encoding'] ? badRequest(415, notEncoded) : null;
};

const json = /^application\/json\s*(?:;|$)/;
const onlyJson = 'A POST request must have the content type `application/json`.';
const onlyUtf8 = 'JSON is sent in UTF-8; leave the charset out.';
const notEncoded = 'A body is sent as it is, without `content-encoding`.';

/** What is announced as too long is not read. Of what comes in chunks the length is counted while it is read. */
export const createLengthCheck =
  (maxBytes: number): Check =>
  ({ headers }) =>
    Number(headers['content-length'] ?? 0) > maxBytes
      ? badRequest(413, `The body of a request has at most ${maxBytes} bytes.`)
      : null;
