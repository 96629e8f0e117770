/** What each page begins with, there before the page itself is: its title, and one line that says what it is for. */
export const HEADINGS = {
  account: {
    title: 'Account',
    description: 'Your profile, password, access tokens and sessions.',
  },
  admin: {
    title: 'Admin Dashboard',
    description: 'Users, subscriptions, payments, usage and system health.',
  },
  alerts: {
    title: 'Alerts',
    description: 'What failed or is about to, and who is told of it.',
  },
  billing: {
    title: 'Billing & Usage',
    description: 'Your plan, payments and resource usage.',
  },
  containers: {
    title: 'Container Registry',
    description: 'Push and pull container images with Docker or any OCI client.',
  },
  databases: {
    title: 'Managed Databases',
    description: 'Create a database and connect to it with any standard client.',
  },
  deployments: {
    title: 'Deployments',
    description: 'Deploy apps from Git, each with its own URL.',
  },
  dns: {
    title: 'DNS Management',
    description: 'DNS records for your domains, served by the built-in name server.',
  },
  marketplace: {
    title: 'Marketplace',
    description: 'Install templates and services in one step. Remove them just as easily.',
  },
  mobileApps: {
    title: 'Mobile App Builder',
    description: 'Generate build configuration for Android and iOS apps.',
  },
  paymentGateway: {
    title: 'Payment Gateway',
    description: 'Virtual bank accounts that hold, send and receive money.',
  },
  welcome: {
    title: 'Welcome',
    description:
      'Four decisions for a new server. Each can wait: they are settings of the Admin Dashboard as well.',
  },
  workspace: {
    title: 'Workspace',
    description: 'Its name, its people and what each may do.',
  },
  storage: {
    title: 'Cloud Storage',
    description: 'Upload files to keep private or share with a link.',
  },
};
