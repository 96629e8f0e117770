import { z } from 'zod';
import { AlertKind } from './alerts.ts';
import { ALERT_CHANNEL_TYPES, DELIVERY_DAYS, MAX_DELIVERIES } from './constants.ts';
import { mutation, query } from './kit.ts';
import { ById, Id, Page, Success } from './page.ts';
import { line } from './text.ts';

const TIME = 'Enter a time like 22:00.';
const Time = z.string(TIME).regex(/^([01]\d|2[0-3]):[0-5]\d$/, TIME);

/** When somebody wants to be left alone. What comes meanwhile is told as one message at its end. */
const QuietHours = z.object({
  /** `HH:MM` there. */
  from: Time,
  /** As `from`; at or before it: on the next day. */
  until: Time,
  /** An IANA name, like `Europe/Berlin`. */
  timeZone: line(64, 'Time zone'),
  /** What is told at once nevertheless. */
  urgent: z.array(AlertKind),
});
export type QuietHours = z.output<typeof QuietHours>;

/** Which alerts are told, and when. */
const Wanted = z.object({
  kinds: z.array(AlertKind),
  /** Of this project alone; null: of the whole workspace. */
  projectId: Id.nullable(),
  quietHours: QuietHours.nullable(),
});

/** A place of a workspace's where its alerts are told. */
export const AlertChannel = Wanted.extend({
  id: Id,
  type: z.enum(ALERT_CHANNEL_TYPES),
  name: z.string(),
  /** Where messages are sent, without what is secret of it: `https://hooks.slack.com/…`. */
  address: z.string(),
  /** Whether anything is told there. */
  enabled: z.boolean(),
  /** Since when nothing was taken there for good; null while all is well. */
  failingSince: z.iso.datetime().nullable(),
  /** Why, as a sentence; '' while all is well. */
  problem: z.string(),
  createdAt: z.iso.datetime(),
});
export type AlertChannel = z.output<typeof AlertChannel>;

const ADDRESS = 'Enter the address that the service gave you, like https://hooks.slack.com/services/….';
const Address = z.url({ protocol: /^https?$/, error: ADDRESS }).max(2000, ADDRESS);

export const NewAlertChannel = Wanted.extend({
  type: z.enum(ALERT_CHANNEL_TYPES),
  name: line(60, 'Name'),
  address: Address,
  projectId: Id.nullable().default(null),
  quietHours: QuietHours.nullable().default(null),
});
export type NewAlertChannel = z.input<typeof NewAlertChannel>;

export const AlertChannelChange = Wanted.partial().extend({
  id: Id,
  name: line(60, 'Name').optional(),
  address: Address.optional(),
  enabled: z.boolean().optional(),
});
export type AlertChannelChange = z.input<typeof AlertChannelChange>;

/** A message to a channel, and what became of it. */
export const AlertDelivery = z.object({
  id: Id,
  channelId: Id,
  /** `recovered`: the cause is over; `summary`: what came in quiet hours. */
  event: z.enum(['raised', 'recovered', 'summary', 'test']),
  /** What it tells in a line. */
  title: z.string(),
  /** `waiting`: not sent yet, or tried again; `held`: until quiet hours are over. */
  state: z.enum(['waiting', 'held', 'delivered', 'failed']),
  tries: z.int(),
  /** HTTP status of the last answer; null where there was none. */
  status: z.int().nullable(),
  /** The first kilobyte of that answer. */
  answer: z.string(),
  /** What went wrong, as a sentence; '' where nothing did. */
  problem: z.string(),
  createdAt: z.iso.datetime(),
  /** When it was tried last; null before the first time. */
  triedAt: z.iso.datetime().nullable(),
});
export type AlertDelivery = z.output<typeof AlertDelivery>;

/** Whether and how somebody's alerts are mailed to them. */
export const AlertPreferences = Wanted.extend({
  /** Whether this installation sends mail. */
  mailAvailable: z.boolean(),
  mail: z.boolean(),
});
export type AlertPreferences = z.output<typeof AlertPreferences>;

/** What a webhook's messages are signed with. */
export const SigningSecret = z.object({ secret: z.string() });

const CHANNELS = '/api/alert-channels';

export const alertChannels = {
  list: query({
    summary: 'Where the alerts of the workspace are told',
    route: `GET ${CHANNELS}`,
    output: z.array(AlertChannel),
  }),
  create: mutation({
    summary: 'Add a channel: an incoming webhook of Slack, Discord or Microsoft Teams, or any webhook',
    route: `POST ${CHANNELS}`,
    status: 201,
    refusals: { 403: 'There are too many channels' },
    perMinute: 30,
    input: NewAlertChannel,
    output: AlertChannel,
  }),
  update: mutation({
    summary: 'Change a channel. What is left out stays as it is',
    route: `PATCH ${CHANNELS}/{id}`,
    perMinute: 60,
    input: AlertChannelChange,
    output: AlertChannel,
  }),
  remove: mutation({
    summary: 'Delete a channel with its deliveries',
    route: `DELETE ${CHANNELS}/{id}`,
    perMinute: 60,
    input: ById,
    output: Success,
  }),
  renewSecret: mutation({
    summary:
      'Make a secret with which a webhook\'s messages are signed, in the place of the one that it has. Header nephos-signature: "v1=" and the HMAC-SHA-256 in hex of the header nephos-timestamp, a dot and the body. Refuse timestamps older than 300 seconds',
    route: `POST ${CHANNELS}/{id}/secret`,
    fresh: true,
    refusals: { 409: 'It is no webhook' },
    perMinute: 20,
    secret: true,
    input: ById,
    output: SigningSecret,
  }),
  test: mutation({
    summary: 'Send a test message, and tell what became of it',
    route: `POST ${CHANNELS}/{id}/test`,
    keepsKeys: true,
    perMinute: 10,
    input: ById,
    output: AlertDelivery,
  }),
  deliveries: query({
    summary: `What was told by a channel, newest first: the last ${MAX_DELIVERIES} of ${DELIVERY_DAYS} days`,
    route: `GET ${CHANNELS}/{id}/deliveries`,
    input: ById.extend(Page.shape),
    output: z.array(AlertDelivery),
  }),
  repeat: mutation({
    summary: 'Send a delivery once more, and tell what became of it',
    route: 'POST /api/alert-deliveries/{id}/repeat',
    refusals: { 409: 'It has not been sent yet, or what it told of is gone' },
    perMinute: 10,
    keepsKeys: true,
    input: ById,
    output: AlertDelivery,
  }),
  preferences: query({
    summary: 'Which alerts of the workspace are mailed to the caller, and when',
    route: 'GET /api/alert-preferences',
    output: AlertPreferences,
  }),
  setPreferences: mutation({
    summary: 'Choose which alerts of the workspace are mailed to the caller, and when',
    route: 'PUT /api/alert-preferences',
    needs: 'view',
    perMinute: 60,
    input: AlertPreferences.omit({ mailAvailable: true }).extend({ projectId: Id.nullable().default(null) }),
    output: AlertPreferences,
  }),
};
