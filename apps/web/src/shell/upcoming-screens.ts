/** Screens of later versions: each row goes when its screen lands. */
export const UPCOMING = {
  '/mobile-apps': {
    title: 'Mobile App Builder',
    purpose: 'Build configuration for Android and iOS apps.',
    will: 'Gradle, manifest, Info.plist and xcconfig files generated from a few settings.',
  },
  '/payment-gateway': {
    title: 'Payment Gateway',
    purpose: 'Virtual bank accounts, transfers and beneficiaries.',
    will: 'Accounts with a real ledger behind them, sending and receiving payments.',
  },
  '/marketplace': {
    title: 'Marketplace',
    purpose: 'Templates and add-ons, installed with one click.',
    will: 'A catalogue to search and to install from during your trial or subscription.',
  },
  '/billing': {
    title: 'Billing & Usage',
    purpose: 'Your plan, what it costs and what you use.',
    will: 'Your subscription, usage records and cost trends.',
  },
  '/admin': {
    title: 'Admin Dashboard',
    purpose: 'Users, subscriptions, payments and usage of this installation.',
    will: 'Tables of everyone and everything here, and the roles of users.',
  },
} as const;

export type UpcomingPath = keyof typeof UPCOMING;
