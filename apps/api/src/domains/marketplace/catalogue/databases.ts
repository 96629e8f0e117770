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
    'A 10 GB PostgreSQL database with its own user. Find its connection string under Databases.',
  ),
  database(
    'mysql',
    'MySQL',
    "A 10 GB MySQL database with its own user. Uses MariaDB if it's hosted on this server.",
  ),
  database(
    'mongodb',
    'MongoDB',
    'A 10 GB MongoDB database with its own user, on a MongoDB server that an admin connects.',
  ),
  database('redis', 'Redis', 'A Redis database with a user of its own. Uses Redis or Valkey, as installed.'),
];
