import { z } from 'zod';
import { ALERT_DAYS, ALERT_KINDS, ALERT_VIEWS, MAX_ALERTS } from './constants.ts';
import { mutation, query, subscription } from './kit.ts';
import { ById, Id, Page, Success } from './page.ts';

export const AlertKind = z.enum(ALERT_KINDS);
export type AlertKind = z.output<typeof AlertKind>;

/** Something that somebody should look at. */
export const Alert = z.object({
  id: Id,
  kind: AlertKind,
  /** What it is about, as it was called then. */
  subject: z.object({
    /** For example `project`. */
    kind: z.string(),
    id: z.string(),
    name: z.string(),
  }),
  /** A sentence or a few. */
  text: z.string(),
  /** The console's page about it, from `/` on. */
  path: z.string(),
  /** How often it happened: what happens again within an hour is counted, for a day. */
  count: z.int(),
  createdAt: z.iso.datetime(),
  /** When it happened last. */
  lastAt: z.iso.datetime(),
  /** When its cause was over; null where that is not known. */
  recoveredAt: z.iso.datetime().nullable(),
  /** Whether the caller has read it since it happened last. */
  read: z.boolean(),
});
export type Alert = z.output<typeof Alert>;

export const AlertPage = Page.extend({
  view: z.enum(ALERT_VIEWS).optional().describe('all by default'),
  kind: AlertKind.optional(),
  projectId: Id.optional().describe("Only those that a project's pages are about"),
});
export type AlertPage = z.input<typeof AlertPage>;

export const UnreadAlerts = z.object({
  /** How many the caller has not read. */
  unread: z.int(),
});
export type UnreadAlerts = z.output<typeof UnreadAlerts>;

export const alerts = {
  list: query({
    summary: `What somebody should look at, newest first: the last ${MAX_ALERTS.toLocaleString('en-US')} alerts of ${ALERT_DAYS} days`,
    route: 'GET /api/alerts',
    input: AlertPage.optional(),
    output: z.array(Alert),
  }),
  unread: query({
    summary: 'How many alerts the caller has not read',
    route: 'GET /api/alerts/unread',
    output: UnreadAlerts,
  }),
  mark: mutation({
    summary: 'Mark an alert as read or as unread, for the caller alone',
    route: 'POST /api/alerts/{id}/mark',
    needs: 'view',
    changesNothing: true,
    input: ById.extend({ read: z.boolean() }),
    output: Success,
  }),
  markAllRead: mutation({
    summary: 'Mark all alerts up to one of them as read, for the caller alone',
    route: 'POST /api/alerts/read',
    needs: 'view',
    changesNothing: true,
    input: z.object({ through: Id.describe('The newest alert that the caller has seen') }),
    output: Success,
  }),
  /** Sends the number at the start and whenever it, or an alert, changes. */
  changes: subscription({
    summary: 'How many alerts the caller has not read, as that changes',
    input: z.object({ lastEventId: z.string().optional() }),
    output: UnreadAlerts,
  }),
};
