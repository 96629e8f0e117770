import type { Concept } from '../concepts.ts';
import type { Answer, Intent } from '../intent.ts';
import { paragraphs } from '../markdown.ts';

/** Where a person does what I do not, by what it is about. */
const PLACES: readonly (readonly [Concept, string])[] = [
  ['token', 'Access tokens are made and ended on your **Account** page; a new one is shown once.'],
  ['mobile', 'On **Mobile Apps**: **New Mobile App** makes one, the bin on its card deletes it.'],
  [
    'database',
    'On **Databases**: **New Database** makes one within seconds; its page has the new password and **Delete**.',
  ],
  ['domain', 'On **DNS**: **Add Record**; a record’s row has its changes and its deletion.'],
  [
    'image',
    'On **Container Registry**: **Register Image** reserves a name; the page of an image makes it public or deletes a tag.',
  ],
  [
    'file',
    'On **Storage**: **Upload File**, 10 MB at most; a file’s card renames, moves, shares and deletes it.',
  ],
  ['plan', 'On **Billing**: subscribe, change the plan, or cancel at the end of the period.'],
  ['deploy', 'On the project’s page: **Deploy**, **Cancel**, **Stop** and **Roll back**.'],
  [
    'project',
    'On **Deployments**: **New Project** makes one; its page has **Deploy**, **Stop**, and under **Settings** its deletion.',
  ],
];

export const doItYourself: Intent = {
  name: 'do-it-yourself',
  example: 'How do I create a database?',
  scopes: ['general', 'database', 'container'],
  about: ['project', 'database', 'image', 'domain', 'file', 'mobile-app'],
  matches: PLACES.flatMap(([concept]): Concept[][] => [
    ['change', concept],
    ['how', 'change', concept],
  ]),
  unless: ['advice', 'list', 'fail', 'why', 'money'],
  async *answer({ asked }): Answer {
    const place = PLACES.find(([concept]) => asked.concepts.has(concept));
    return paragraphs('I only read and change nothing; you do it in a moment:', place?.[1] ?? '');
  },
};
