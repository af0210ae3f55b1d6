import { type Agent, request } from 'node:http';

export interface RawRequest {
  readonly path?: string;
  readonly method?: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
}

export interface RawResponse {
  readonly status: string;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
}

/** Sends any headers and any bytes, which `fetch` would correct or refuse. */
export const sendRaw = (
  url: string,
  { path = '/graphql', method = 'POST', headers, body }: RawRequest,
  agent?: Agent,
): Promise<RawResponse> =>
  new Promise((resolve, reject) => {
    // Without it Node sends the body of a DELETE without a length: bytes that the server reads as another request.
    const length = 'transfer-encoding' in headers ? {} : { 'content-length': lengthOf(body) };
    const all = { ...length, ...headers };
    const sent = request(`${url}${path}`, { method, headers: all, ...(agent && { agent }) });
    sent.once('error', reject);
    sent.once('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk) => chunks.push(chunk));
      response.once('error', reject);
      response.once('end', () =>
        resolve({
          status: `${response.statusCode} ${response.statusMessage}`,
          headers: response.headers,
          body: Buffer.concat(chunks).toString(),
        }),
      );
    });
    sent.end(body);
  });

const lengthOf = (body: string | Uint8Array): string => String(Buffer.byteLength(body));
