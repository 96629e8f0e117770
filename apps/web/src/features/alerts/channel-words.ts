import type { AlertChannel } from '@nephos/contracts';

interface TypeWords {
  label: string;
  /** Where its address is found. */
  hint: string;
}

export const CHANNEL_WORDS: Record<AlertChannel['type'], TypeWords> = {
  slack: { label: 'Slack', hint: "The URL of an incoming webhook, from your Slack app's settings." },
  discord: {
    label: 'Discord',
    hint: "The URL of a webhook, from the channel's settings under Integrations.",
  },
  teams: {
    label: 'Microsoft Teams',
    hint: 'The URL of a workflow that begins “When a Teams webhook request is received”.',
  },
  webhook: { label: 'Webhook', hint: 'Your own URL that takes JSON by POST. Messages are signed.' },
};
