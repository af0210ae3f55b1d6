import { z } from 'zod';
import { quoted } from '../../lib/text.ts';
import type { ChatFormat } from '../webhook/format.ts';
import { lineOf } from './text.ts';

/**
 * A format of messages whose lines are joined to a text. The sources of the limits are the references of the services.
 *
 * Texts of events are no markup: names and notes can be those of strangers.
 */
interface Service extends Pick<ChatFormat, 'name' | 'outcomeOf'> {
  readonly needsChatId?: boolean;
  readonly targetOf?: ChatFormat['targetOf'];
  /** Longest text in UTF-16 units. */
  readonly maxLength: number;
  readonly escapeLine?: (line: string) => string;
  readonly bodyOf: (lines: readonly string[], chatId: string | null) => object;
}

function formatOf({
  maxLength,
  escapeLine = (line) => line,
  bodyOf,
  ...service
}: Service): ChatFormat {
  return {
    needsChatId: false,
    targetOf: (url) => url,
    ...service,
    messageOf(events, chatId) {
      const lines: string[] = [];
      let left = maxLength;
      for (const event of events) {
        const line = escapeLine(lineOf(event));
        if (lines.length > 0 && line.length >= left) break;
        // A line of its own always fits: its texts are short.
        lines.push(line);
        left -= line.length + 1;
      }
      return { body: JSON.stringify(bodyOf(lines, chatId)), count: lines.length };
    },
  };
}

/** What a service writes into the body of a response. */
const replyShape = z.object({
  ok: z.boolean().optional(),
  /** Of Telegram and of Discord. */
  description: z.string().optional(),
  message: z.string().optional(),
  /** Seconds. */
  retry_after: z.number().nonnegative().optional(),
  parameters: z.object({ retry_after: z.number().nonnegative().optional() }).optional(),
});

function replyOf(body: string): z.infer<typeof replyShape> {
  try {
    return replyShape.safeParse(JSON.parse(body)).data ?? {};
  } catch {
    return {};
  }
}

interface Meaning {
  readonly gone: readonly number[];
  /** Whether a response with 2xx has an error in its body. */
  readonly hasError?: (body: string) => boolean;
}

/** How a service received a message. Its own text is shown shortened and quoted. */
const readsResponse =
  (service: string, { gone, hasError = () => false }: Meaning): ChatFormat['outcomeOf'] =>
  ({ status, body }) => {
    const isAccepted = status >= 200 && status < 300 && !hasError(body);
    if (isAccepted) return { failure: null, retryAfterMs: null, isGone: false };
    const { description, message, retry_after, parameters } = replyOf(body);
    const text = (description ?? message ?? body).trim();
    const seconds = retry_after ?? parameters?.retry_after;
    return {
      failure: `${service} responded ${status}${text === '' ? '' : `: ${quoted(text)}`}.`,
      retryAfterMs: seconds === undefined ? null : Math.ceil(seconds * 1_000),
      isGone: gone.includes(status),
    };
  };

/** https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks */
export const slack = formatOf({
  name: 'SLACK',
  maxLength: 4_000,
  escapeLine: (line) => line.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;'),
  bodyOf: (lines) => ({ text: lines.join('\n'), mrkdwn: false, unfurl_links: false }),
  outcomeOf: readsResponse('Slack', { gone: [404, 410] }),
});

/** https://docs.discord.com/developers/resources/webhook#execute-webhook */
export const discord = formatOf({
  name: 'DISCORD',
  maxLength: 2_000,
  escapeLine: (line) => line.replace(/[\\*_~`|<>[\]]/g, '\\$&'),
  bodyOf: (lines) => ({
    content: lines.join('\n'),
    allowed_mentions: { parse: [] },
    // No previews of links.
    flags: 4,
  }),
  outcomeOf: readsResponse('Discord', { gone: [401, 404, 410] }),
});

const adaptiveCard = 'application/vnd.microsoft.card.adaptive';

/** https://learn.microsoft.com/microsoftteams/platform/webhooks-and-connectors: a card of up to 28 KB. */
export const teams = formatOf({
  name: 'TEAMS',
  maxLength: 6_000,
  bodyOf: (lines) => ({
    type: 'message',
    attachments: [
      {
        contentType: adaptiveCard,
        contentUrl: null,
        content: {
          $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
          ...{ type: 'AdaptiveCard', version: '1.4' },
          // Markdown is no part of these texts.
          body: lines.map((text) => ({
            type: 'RichTextBlock',
            inlines: [{ type: 'TextRun', text }],
          })),
        },
      },
    ],
  }),
  outcomeOf: readsResponse('Teams', {
    gone: [404, 410],
    hasError: (body) => /\b(?:error|failed)\b/i.test(body),
  }),
});

/** https://core.telegram.org/bots/api#sendmessage */
export const telegram = formatOf({
  name: 'TELEGRAM',
  needsChatId: true,
  targetOf: (url) => `${url.replace(/\/(?:sendMessage)?$/i, '')}/sendMessage`,
  maxLength: 4_096,
  bodyOf: (lines, chatId) => ({
    chat_id: chatId,
    text: lines.join('\n'),
    link_preview_options: { is_disabled: true },
  }),
  outcomeOf: readsResponse('Telegram', {
    gone: [401, 403, 404],
    hasError: (body) => replyOf(body).ok !== true,
  }),
});
