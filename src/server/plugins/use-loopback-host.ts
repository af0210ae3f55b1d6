import type { Layer } from '../layer.ts';
import { refusalBody } from '../request-fault.ts';

/** While nobody is asked for a key: refuses a Host that is not this machine, which a rebound DNS name of a foreign site is. */
export const useLoopbackHost = (): Layer => ({
  full: {
    onRequest({ request, url, fetchAPI, endResponse }) {
      const host = request.headers.get('host') ?? url.host;
      if (loopbackHost.test(host)) return;
      endResponse(fetchAPI.Response.json(refusalBody(sentence), { status: 421 }));
    },
  },
  plain: { admits: ({ headers }) => loopbackHost.test(headers.get('host') ?? '') },
});

const loopbackHost = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/i;
const sentence = 'Without a key this gateway answers only at localhost, 127.0.0.1 or [::1].';
