/** What each page begins with, there before the page itself is: its title, and one line that says what it is for. */
export const HEADINGS = {
  account: {
    title: 'Account',
    description: 'Your name, your password, your access tokens and where you are signed in.',
  },
  admin: {
    title: 'Admin Dashboard',
    description: 'Who uses this installation, what they pay and use, and how its parts are.',
  },
  billing: {
    title: 'Billing & Usage',
    description: 'Your plan and what it costs, and what your resources use.',
  },
  containers: {
    title: 'Container Registry',
    description: 'Images that Docker and skopeo push to this console and pull from it.',
  },
  databases: {
    title: 'Managed Databases',
    description: 'PostgreSQL, MySQL and MongoDB databases, each with an address that its own clients take.',
  },
  deployments: {
    title: 'Deployments',
    description: 'Apps that are built from Git and run at a URL of their own.',
  },
  dns: {
    title: 'DNS Management',
    description: "Records that this console's own name server answers with, within a second of saving them.",
  },
  marketplace: {
    title: 'Marketplace',
    description: 'Templates and services, set up for you in one step and removed just as cleanly.',
  },
  mobileApps: {
    title: 'Mobile App Builder',
    description: 'Build configuration for Android and iOS apps, ready to drop into a project.',
  },
  paymentGateway: {
    title: 'Payment Gateway',
    description:
      'Virtual bank accounts that hold, send and receive money, on a ledger where every cent has two entries.',
  },
  storage: {
    title: 'Cloud Storage',
    description: 'Files to keep for yourself or to share by a public address.',
  },
};
