import type { Feature } from '../../seam/feature.ts';

/** Webhooks that send messages for people to chat services. */
export const chat: Feature = {
  name: 'chat',
  uses: ['webhook'],
  enumValues: {
    WebhookFormat: {
      SLACK:
        'Messages for people, for an incoming webhook of Slack, or of a service that accepts its format, such as Mattermost.',
      DISCORD: 'Messages for people, for a webhook of Discord.',
      TEAMS: 'Messages for people, for a workflow of Microsoft Teams that receives webhooks.',
      TELEGRAM:
        'Messages for people, for a bot of Telegram: `https://api.telegram.org/bot<token>`, and the chat in `chatId`.',
    },
  },
  parts: () => import('./open.ts'),
};
