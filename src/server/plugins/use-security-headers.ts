import type { Layer } from '../layer.ts';

const everywhere = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
  'cross-origin-resource-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
};

const unlessSaid = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cache-control': 'no-store',
};

/** Tells browsers not to guess, frame, refer or keep; what has set its own policy keeps that. */
export const useSecurityHeaders = (): Layer => ({
  full: {
    onResponse({ response: { headers } }) {
      for (const [name, value] of Object.entries(everywhere)) headers.set(name, value);
      for (const [name, value] of Object.entries(unlessSaid)) {
        if (!headers.has(name)) headers.set(name, value);
      }
    },
  },
  plain: { headers: () => both },
});

const both = { ...everywhere, ...unlessSaid };
