import { askPassword, type CatalogueItem, Password } from './item.ts';
import { recipe } from './recipe.ts';

const adminPassword = (hint: string) => askPassword('password', { label: 'Password', hint });

/** Third-party apps, each with a folder in `apps/api/recipes`. */
export const recipeItems: readonly CatalogueItem[] = [
  recipe({
    id: 'tiddlywiki',
    name: 'TiddlyWiki',
    description:
      'A personal wiki and notebook in one page. What you write is kept as text files on its disk.',
    category: 'Knowledge',
    version: '5.4.1',
    runs: 'nodejs',
    disk: 512,
    memory: 256,
    healthPath: '/status',
    questions: [
      askPassword('password', {
        label: 'Password',
        hint: 'You log in with it as the user "wiki".',
        // Browsers send "user:password", which TiddlyWiki splits at every colon.
        answer: Password.refine((text) => !text.includes(':'), "Passwords can't contain a colon."),
      }),
    ],
    variables: (answer) => ({ WIKI_PASSWORD: answer('password') }),
    firstSteps: 'Log in as the user "wiki" with the password that you chose.',
  }),
  recipe({
    id: 'verdaccio',
    name: 'Verdaccio',
    description:
      'A private npm registry, which gets public packages from npmjs.org. Packages, accounts and settings are kept on its disk.',
    category: 'Developer tools',
    version: '6.10.4',
    runs: 'nodejs',
    disk: 1024,
    memory: 512,
    healthPath: '/-/ping',
    questions: [adminPassword('You log in with it as the user "admin".')],
    variables: (answer) => ({ ADMIN_PASSWORD: answer('password') }),
    firstSteps: 'Run npm login --registry=<address> as "admin" with the password that you chose.',
  }),
  recipe({
    id: 'node-red',
    name: 'Node-RED',
    description:
      'Connects devices, APIs and services by flows that you draw. Flows, their credentials and added nodes are kept on its disk.',
    category: 'Automation',
    version: '5.0.7',
    runs: 'nodejs',
    disk: 1024,
    memory: 512,
    healthPath: '/auth/login',
    secrets: ['CREDENTIAL_SECRET'],
    questions: [adminPassword('You log in to the editor with it as the user "admin".')],
    variables: (answer) => ({ ADMIN_PASSWORD: answer('password') }),
    firstSteps: 'Log in as "admin" with the password that you chose.',
  }),
  recipe({
    id: 'actual-budget',
    name: 'Actual Budget',
    description:
      'Personal finance by envelope budgeting. Budgets and accounts are kept on its disk. The first visitor chooses the password. ' +
      'To install it, your server needs access to github.com, or Python, make and g++.',
    category: 'Finance',
    version: '26.9.0',
    runs: 'nodejs',
    disk: 512,
    memory: 512,
    healthPath: '/health',
    firstSteps: 'Open it now: the first visitor chooses the password.',
  }),
  recipe({
    id: 'federated-wiki',
    name: 'Federated Wiki',
    description:
      "A wiki by the wiki's inventor, whose pages can be forked from other people's sites. Pages are kept on its disk; anyone can read them, and the first visitor can claim it.",
    category: 'Knowledge',
    version: '0.40.2',
    runs: 'nodejs',
    disk: 512,
    memory: 1024,
    healthPath: '/system/version.json',
    secrets: ['COOKIE_SECRET'],
    addressVariable: 'WIKI_URL',
    firstSteps: 'Open it now and claim it by the lock at the bottom of the page: only its owner can write.',
  }),
];
