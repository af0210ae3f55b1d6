/** A response, by the public references of the services and not by what the gateway sends. */
export interface ServiceResponse {
  readonly status: number;
  readonly body: string;
}

// biome-ignore lint/suspicious/noExplicitAny: the body of a request is what the gateway sends
type Body = any;

const json = (status: number, body: object): ServiceResponse => ({
  status,
  body: JSON.stringify(body),
});

/** https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks#handling_errors */
function slack(body: Body): ServiceResponse {
  if (typeof body.text !== 'string' || body.text === '') return { status: 400, body: 'no_text' };
  if (body.text.length > 40_000) return { status: 400, body: 'msg_too_long' };
  // Control sequences such as <!channel> begin with <.
  const isMarkup = /[<>]|&(?!(?:amp|lt|gt);)/.test(body.text);
  return isMarkup ? { status: 400, body: 'invalid_payload' } : { status: 200, body: 'ok' };
}

/** https://docs.discord.com/developers/resources/webhook#execute-webhook */
function discord(body: Body): ServiceResponse {
  const { content = '', allowed_mentions: mentions } = body;
  if (content.length === 0)
    return json(400, { code: 50006, message: 'Cannot send an empty message' });
  if (content.length > 2_000) {
    return json(400, {
      ...{ code: 50035, message: 'Invalid Form Body' },
      errors: { content: { _errors: [{ code: 'BASE_TYPE_MAX_LENGTH' }] } },
    });
  }
  const parsed = mentions?.parse ?? ['everyone', 'roles', 'users'];
  return parsed.length > 0 && /@/.test(content)
    ? json(400, { code: 0, message: 'mentions' })
    : { status: 204, body: '' };
}

/** https://learn.microsoft.com/microsoftteams/platform/webhooks-and-connectors/how-to/connectors-using */
function teams(body: Body, bytes: number): ServiceResponse {
  if (bytes > 28 * 1024) return { status: 413, body: 'Request Entity Too Large' };
  const [attachment] = body.attachments ?? [];
  const isCard =
    body.type === 'message' &&
    attachment?.contentType === 'application/vnd.microsoft.card.adaptive' &&
    attachment.content.type === 'AdaptiveCard' &&
    attachment.content.body.every(({ type }: Body) =>
      ['TextBlock', 'RichTextBlock'].includes(type),
    );
  return isCard
    ? { status: 202, body: '' }
    : { status: 400, body: 'Bad payload received by generic incoming webhook.' };
}

/** https://core.telegram.org/bots/api#making-requests */
function telegram(body: Body, path: string): ServiceResponse {
  const refusal = (code: number, description: string) =>
    json(code, { ok: false, error_code: code, description });
  if (!/^\/bot\d+:[\w-]+\/sendMessage$/.test(path)) return refusal(404, 'Not Found');
  if (!/^(?:-?\d+|@\w+)$/.test(String(body.chat_id ?? ''))) {
    return refusal(400, 'Bad Request: chat not found');
  }
  if (!body.text) return refusal(400, 'Bad Request: message text is empty');
  if (body.text.length > 4_096) return refusal(400, 'Bad Request: message is too long');
  return json(200, { ok: true, result: { message_id: 1 } });
}

/** The text that people see. */
export const textOf: Readonly<Record<string, (body: Body) => string>> = {
  SLACK: ({ text }) =>
    text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&'),
  DISCORD: ({ content }) => content.replace(/\\([^0-9A-Za-z\s])/g, '$1'),
  TEAMS: ({ attachments: [{ content }] }) =>
    content.body.map(({ inlines: [{ text }] }: Body) => text).join('\n'),
  TELEGRAM: ({ text }) => text,
};

const services: Readonly<
  Record<string, (body: Body, bytes: number, path: string) => ServiceResponse>
> = {
  ...{ SLACK: slack, DISCORD: discord, TEAMS: teams },
  TELEGRAM: (body, _bytes, path) => telegram(body, path),
};

/** How a service responds to a body that was sent to a path. */
export const respond = (service: string, text: string, path: string): ServiceResponse =>
  services[service]?.(JSON.parse(text), Buffer.byteLength(text), path) ?? { status: 404, body: '' };
