import { NewDatabase } from '@nephos/contracts';
import { ask, type CatalogueItem } from './item.ts';

type Type = NonNullable<NewDatabase['type']>;

function database(type: Type, product: string, description: string): CatalogueItem {
  return {
    id: `${type}-database`,
    version: '1.0.0',
    name: `${product} database`,
    description,
    category: 'Databases',
    isTemplate: false,
    questions: [ask('name', NewDatabase.shape.name, { label: 'Name', initial: type })],
    steps: (answer) => [
      { kind: 'database', label: `${product} database`, input: { name: answer('name'), type } },
    ],
  };
}

export const databaseItems: readonly CatalogueItem[] = [
  database(
    'postgresql',
    'PostgreSQL',
    'A PostgreSQL database of 10 GB with a user of its own. Its connection string is under Databases.',
  ),
  database(
    'mysql',
    'MySQL',
    'A MySQL database of 10 GB with a user of its own, on MariaDB where this server runs that itself.',
  ),
  database(
    'mongodb',
    'MongoDB',
    'A MongoDB database of 10 GB with a user of its own, on the MongoDB server that this console was given.',
  ),
];
