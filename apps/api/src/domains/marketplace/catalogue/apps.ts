import { NewProject, NewVariable, type ProjectTemplate } from '@nephos/contracts';
import { ask, askOptionally, type CatalogueItem, type Question } from './item.ts';

function projectName(initial: string): Question {
  return ask('name', NewProject.shape.name, {
    label: 'Project name',
    hint: 'The address of the app is made of it.',
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
    'A page, a JSON API and a PostgreSQL database that keeps its notes, joined by the variable DATABASE_URL. Its ' +
    'build fetches the PostgreSQL client from the npm registry.',
  category: 'Full stack',
  isTemplate: true,
  questions: [
    ask('name', NewProject.shape.name.max(63, 'Name can have at most 63 characters.'), {
      label: 'Name',
      hint: 'Of the project and of its database.',
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
    'A page that asks your addresses every 30 seconds and shows which of them answer and how fast. It remembers the ' +
    'last 60 results of each until it starts anew.',
  category: 'Monitoring',
  isTemplate: false,
  questions: [
    projectName('Status page'),
    askOptionally('addresses', statusAddresses, {
      label: 'Addresses to watch',
      hint: 'With commas between them. They are kept in the variable STATUS_URLS of the project.',
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
    description: 'A JSON API on Node.js without any package to install.',
  }),
  starter('python-api', {
    category: 'APIs',
    name: 'Python API starter',
    description: "A JSON API on Python's standard library, without any package to install.",
  }),
  starter('static-site', {
    category: 'Websites',
    name: 'Static site starter',
    description: 'One page and one style sheet, served as they are.',
  }),
  starter('react-site', {
    category: 'Websites',
    name: 'React site starter',
    description: 'A React site built by Vite. Its build fetches both from the npm registry.',
  }),
  statusPage,
];
