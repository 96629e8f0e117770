import { z } from 'zod';
import { ask, askPassword, type CatalogueItem } from './item.ts';
import { recipe } from './recipe.ts';

/**
 * Third-party apps as Debian packages them. Mirrors of Debian keep only the newest package of a release, so none is pinned:
 * a version is the series that this release of Debian has, and how often the recipe was revised. Each upgrade and each
 * deployment is a build of its own, with the fixes that Debian has made by then.
 */
export const containerRecipeItems: readonly CatalogueItem[] = [
  recipe({
    id: 'wordpress',
    name: 'WordPress',
    description:
      'A website or blog, with the MariaDB database that it needs. Articles, uploads, themes, plugins and the database are on its disk.',
    category: 'Websites',
    version: '6.8-1',
    runs: 'container',
    disk: 2048,
    memory: 768,
    healthPath: '/wp-login.php',
    healthTimeout: 180,
    addressVariable: 'SITE_URL',
    questions: [
      ask('email', z.email('Enter an email address, like ada@example.com.').max(100), {
        label: 'Email',
        hint: "The administrator's address.",
        placeholder: 'ada@example.com',
      }),
      askPassword('password', {
        label: 'Password',
        hint: 'For the administrator, whose user name is "admin".',
      }),
    ],
    variables: (answer) => ({
      SITE_TITLE: answer('name'),
      ADMIN_USER: 'admin',
      ADMIN_EMAIL: answer('email'),
      ADMIN_PASSWORD: answer('password'),
    }),
    firstSteps: 'Open /wp-admin and log in as "admin" with the password that you chose.',
  }),
  recipe({
    id: 'mediawiki',
    name: 'MediaWiki',
    description:
      'The wiki of Wikipedia. Everybody can read, and you make the accounts that can write. Pages and uploads are on its disk.',
    category: 'Knowledge',
    version: '1.43-1',
    runs: 'container',
    disk: 1024,
    memory: 512,
    healthPath: '/api.php',
    healthTimeout: 180,
    secrets: ['SECRET_KEY'],
    questions: [
      askPassword('password', {
        label: 'Password',
        hint: 'For the administrator, whose user name is "Admin". Common passwords are refused.',
      }),
    ],
    variables: (answer) => ({
      SITE_TITLE: answer('name'),
      ADMIN_USER: 'Admin',
      ADMIN_PASSWORD: answer('password'),
    }),
    firstSteps:
      'Log in as "Admin" with the password that you chose, and make accounts on Special:CreateAccount.',
  }),
  recipe({
    id: 'dokuwiki',
    name: 'DokuWiki',
    description:
      'A wiki without a database. Everybody can read, and you make the accounts that can write. Pages are kept as text files on its disk.',
    category: 'Knowledge',
    version: '2024-02-06b-1',
    runs: 'container',
    disk: 1024,
    memory: 384,
    healthPath: '/doku.php',
    questions: [
      askPassword('password', {
        label: 'Password',
        hint: 'For the administrator, whose user name is "admin".',
      }),
    ],
    variables: (answer) => ({ SITE_TITLE: answer('name'), ADMIN_PASSWORD: answer('password') }),
    firstSteps:
      'Log in as "admin" with the password that you chose, and add people under Admin, User Manager.',
  }),
  recipe({
    id: 'radicale',
    name: 'Radicale',
    description:
      'Calendars, tasks and contacts for phones and computers (CalDAV and CardDAV). They are kept as files on its disk.',
    category: 'Office',
    version: '3.5-1',
    runs: 'container',
    disk: 256,
    memory: 256,
    healthPath: '/.web/',
    questions: [
      askPassword('password', { label: 'Password', hint: 'You log in with it as the user "calendar".' }),
    ],
    variables: (answer) => ({ USER_NAME: 'calendar', USER_PASSWORD: answer('password') }),
    firstSteps:
      'Log in as "calendar" with the password that you chose; for more users, run "htpasswd -B /data/users NAME" in the terminal.',
  }),
  recipe({
    id: 'prometheus',
    name: 'Prometheus',
    description:
      'Collects figures of servers and apps, and answers questions about them. The figures and prometheus.yml are on its disk.',
    category: 'Monitoring',
    version: '2.53-1',
    runs: 'container',
    disk: 2048,
    memory: 512,
    healthPath: '/-/healthy',
    questions: [
      askPassword('password', { label: 'Password', hint: 'You log in with it as the user "admin".' }),
    ],
    variables: (answer) => ({ ADMIN_PASSWORD: answer('password'), RETENTION_SIZE: '1500MB' }),
    firstSteps:
      'Log in as "admin", add your targets by "nano /data/prometheus.yml" in the terminal, and restart the app.',
  }),
  recipe({
    id: 'fossil',
    name: 'Fossil',
    description:
      'A repository with tickets, a wiki and a forum, for people with accounts. All of it is one file on its disk.',
    category: 'Developer tools',
    version: '2.26-1',
    runs: 'container',
    disk: 1024,
    memory: 256,
    healthPath: '/login',
    addressVariable: 'SITE_URL',
    questions: [
      askPassword('password', {
        label: 'Password',
        hint: 'For the administrator, whose user name is "admin".',
      }),
    ],
    variables: (answer) => ({ ADMIN_PASSWORD: answer('password') }),
    firstSteps: 'Log in as "admin" with the password that you chose, and add people under Admin, Users.',
  }),
  recipe({
    id: 'syncthing',
    name: 'Syncthing',
    description:
      'Keeps folders the same on your computers and here, so one copy is always online. Folders and keys are on its disk.',
    category: 'Files',
    version: '1.29-1',
    runs: 'container',
    disk: 4096,
    memory: 384,
    healthPath: '/rest/noauth/health',
    questions: [
      askPassword('password', { label: 'Password', hint: 'You log in with it as the user "admin".' }),
    ],
    variables: (answer) => ({ ADMIN_PASSWORD: answer('password') }),
    firstSteps: 'Log in as "admin" with the password that you chose, and add your devices.',
  }),
  recipe({
    id: 'webdav',
    name: 'WebDAV folder',
    description:
      'A folder that computers and phones connect to as a network drive, or back up to. Its files are on its disk.',
    category: 'Files',
    version: '1.60-1',
    runs: 'container',
    disk: 4096,
    memory: 256,
    healthPath: '/',
    questions: [
      askPassword('password', { label: 'Password', hint: 'You connect with it as the user "files".' }),
    ],
    variables: (answer) => ({ USER_NAME: 'files', USER_PASSWORD: answer('password') }),
    firstSteps: 'Connect to its address as "files" with the password that you chose.',
  }),
];
