import { NewProject, NewVariable, type ProjectTemplate } from '@nephos/contracts';
import { ask, askOptionally, type CatalogueItem, type Question } from './item.ts';

function projectName(initial: string): Question {
  return ask('name', NewProject.shape.name, {
    label: 'Project name',
    hint: "Used for the app's URL.",
    initial,
  });
}

function starter(
  template: ProjectTemplate,
  { category, name, description }: Pick<CatalogueItem, 'category' | 'name' | 'description'>,
): CatalogueItem {
  return {
    id: `${template}-starter`,
    version: '1.0.0',
    name,
    description,
    category,
    isTemplate: true,
    questions: [projectName(name.replace(' starter', ''))],
    steps: (answer) => [
      {
        kind: 'project',
        label: `Project from the ${template} template`,
        input: { name: answer('name'), template },
      },
    ],
  };
}

const statusAddresses = NewVariable.shape.value.refine(
  (text) => text.split(',').every((address) => isWebAddress(address.trim())),
  'Enter addresses that begin with http:// or https://, with commas between them.',
);

function isWebAddress(text: string): boolean {
  return text === '' || (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol));
}

const fullStack: CatalogueItem = {
  id: 'full-stack-starter',
  version: '1.0.0',
  name: 'Full-stack starter',
  description:
    'A notes app: a page, a JSON API and a PostgreSQL database connected through DATABASE_URL. The build installs the ' +
    'PostgreSQL client from npm.',
  category: 'Full stack',
  isTemplate: true,
  questions: [
    ask('name', NewProject.shape.name.max(63, 'Name can have at most 63 characters.'), {
      label: 'Name',
      hint: 'Used for the project and its database.',
      initial: 'Full-stack app',
    }),
  ],
  steps: (answer) => [
    { kind: 'database', label: 'PostgreSQL database', input: { name: answer('name'), type: 'postgresql' } },
    {
      kind: 'project',
      label: 'Project from the full-stack template',
      input: { name: answer('name'), template: 'full-stack' },
      databaseVariable: 'DATABASE_URL',
    },
  ],
};

const statusPage: CatalogueItem = {
  id: 'status-page',
  version: '1.0.0',
  name: 'Status page',
  description:
    'Checks your URLs every 30 seconds and shows which are up and how fast they respond. Keeps the last 60 results ' +
    'for each until it restarts.',
  category: 'Monitoring',
  isTemplate: false,
  questions: [
    projectName('Status page'),
    askOptionally('addresses', statusAddresses, {
      label: 'URLs to watch',
      hint: 'Separated by commas. Saved as the STATUS_URLS variable of the project.',
      placeholder: 'https://example.com, https://api.example.com/health',
    }),
  ],
  steps: (answer) => [
    {
      kind: 'project',
      label: 'Project from the status-page template',
      input: { name: answer('name'), template: 'status-page' },
      variables: { STATUS_URLS: answer('addresses') },
    },
  ],
};

export const appItems: readonly CatalogueItem[] = [
  fullStack,
  starter('node-api', {
    category: 'APIs',
    name: 'Node API starter',
    description: 'A JSON API on Node.js with no packages to install.',
  }),
  starter('python-api', {
    category: 'APIs',
    name: 'Python API starter',
    description: "A JSON API on Python's standard library, with no packages to install.",
  }),
  starter('static-site', {
    category: 'Websites',
    name: 'Static site starter',
    description: 'A plain HTML page and a style sheet.',
  }),
  starter('react-site', {
    category: 'Websites',
    name: 'React site starter',
    description: 'A React site built with Vite. npm installs both during the build.',
  }),
  statusPage,
];
