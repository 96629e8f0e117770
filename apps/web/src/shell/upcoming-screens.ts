/** Screens of later versions: each row goes when its screen lands. */
export const UPCOMING = {
  '/admin': {
    title: 'Admin Dashboard',
    purpose: 'Users, subscriptions, payments and usage of this installation.',
    will: 'Tables of everyone and everything here, and the roles of users.',
  },
} as const;

export type UpcomingPath = keyof typeof UPCOMING;
