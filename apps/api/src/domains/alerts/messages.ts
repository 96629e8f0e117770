import { ALERT_RULES, type AlertChannelType, type AlertDelivery, type AlertKind } from '@nephos/contracts';
import type { Database } from '@nephos/db';
import type { Selectable } from 'kysely';

type AlertRow = Selectable<Database['alerts']>;

/** What one delivery tells. */
export interface AlertMessage {
  /** The delivery's. */
  id: string;
  event: AlertDelivery['event'];
  /** One line. */
  title: string;
  alerts: readonly AlertRow[];
  /** Origin of the console. */
  origin: string;
}

/** Alerts that a message tells in full; of more it says how many. */
const MOST_TOLD = 20;
/** Bounds of the services, in characters: the smallest is that of Discord's embeds. */
const MAX_TITLE = 250;
const MAX_BODY = 3500;
/** Lines of their own in a card of Teams. */
const MAX_BLOCKS = 60;

/** What is said of an alert in a line. */
export function titleOf({ kind, subjectName }: Pick<AlertRow, 'kind' | 'subjectName'>): string {
  // Nothing but the contract's kinds is ever raised.
  return `${ALERT_RULES[kind as AlertKind].title}: ${subjectName}`;
}

/** What a message says below its title, a paragraph each. */
export function linesOf({ event, alerts }: AlertMessage): string[] {
  if (event === 'test') return ['This is a test. Alerts of the workspace will be posted here.'];
  const isOne = alerts.length === 1;
  const lines = alerts.slice(0, MOST_TOLD).map((alert) => {
    const over = alert.recoveredAt ? ' It is over.' : '';
    const times = alert.count > 1 ? ` (${alert.count} times)` : '';
    return isOne ? `${alert.text}${times}${over}` : `${titleOf(alert)}${times}. ${alert.text}${over}`;
  });
  const rest = alerts.length - lines.length;
  return rest > 0 ? [...lines, `And ${rest} more.`] : lines;
}

/** Where more is to be read. */
export function pageOf({ alerts, origin }: AlertMessage): string {
  const [first, ...others] = alerts;
  if (!first) return new URL('/alerts', origin).href;
  return addressOf({ path: others.length === 0 ? first.path : '/alerts', ownerId: first.ownerId }, origin);
}

/** A page of the console, in the workspace of the alert, whichever its reader's session is in. */
function addressOf({ path, ownerId }: Pick<AlertRow, 'path' | 'ownerId'>, origin: string): string {
  const address = new URL(path, origin);
  address.searchParams.set('workspace', ownerId);
  return address.href;
}

/** The body of a message, as the service takes it. */
export function bodyFor(type: AlertChannelType, message: AlertMessage): object {
  return BODIES[type]({
    ...message,
    title: message.title.slice(0, MAX_TITLE),
    text: linesOf(message).join('\n').slice(0, MAX_BODY),
    page: pageOf(message),
  });
}

type Composed = AlertMessage & { text: string; page: string };

const BODIES: Record<AlertChannelType, (message: Composed) => object> = {
  // https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks
  slack: ({ title, text, page }) => ({
    text: `*${forSlack(title)}*\n${forSlack(text)}\n<${forSlack(page)}|Open in the console>`,
    unfurl_links: false,
  }),
  // https://docs.discord.com/developers/resources/webhook#execute-webhook
  discord: ({ title, text, page, event }) => ({
    embeds: [{ title, description: text, url: page, color: event === 'recovered' ? GREEN : RED }],
    allowed_mentions: { parse: [] },
  }),
  // https://learn.microsoft.com/microsoftteams/platform/webhooks-and-connectors/how-to/connectors-using
  teams: ({ title, text, page }) => ({
    type: 'message',
    attachments: [
      {
        contentType: 'application/vnd.microsoft.card.adaptive',
        contentUrl: null,
        content: {
          $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
          type: 'AdaptiveCard',
          version: '1.4',
          body: [
            { type: 'TextBlock', text: title, weight: 'bolder', size: 'medium', wrap: true },
            ...blocksOf(text).map((line) => ({ type: 'TextBlock', text: line, wrap: true })),
          ],
          actions: [{ type: 'Action.OpenUrl', title: 'Open in the console', url: page }],
        },
      },
    ],
  }),
  webhook: ({ id, event, title, page, alerts, origin }) => ({
    ...{ id, event, title, page },
    alerts: alerts.map((alert) => ({
      ...{ id: alert.id, kind: alert.kind, title: titleOf(alert), text: alert.text },
      subject: { kind: alert.subjectKind, id: alert.subjectId, name: alert.subjectName },
      ...{ page: addressOf(alert, origin), count: alert.count },
      ...{ createdAt: alert.createdAt, lastAt: alert.lastAt, recoveredAt: alert.recoveredAt },
    })),
  }),
};

const RED = 0xd1_24_2f;
const GREEN = 0x1a_7f_37;

/** A card of Teams may have 28 kB with all that is around its lines. */
function blocksOf(text: string): string[] {
  const lines = text.split('\n').filter((line) => line !== '');
  const rest = lines.slice(MAX_BLOCKS - 1).join(' ');
  return lines.length <= MAX_BLOCKS ? lines : [...lines.slice(0, MAX_BLOCKS - 1), rest];
}

/** Slack reads `<…>` as links and mentions. */
function forSlack(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
