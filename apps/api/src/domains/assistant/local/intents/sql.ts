import type { ManagedDatabase } from '@nephos/contracts';
import { findDatabase, typeNamed } from '../find-database.ts';
import type { Answer, Intent, LocalTurn } from '../intent.ts';
import { block, paragraphs } from '../markdown.ts';

type Snippets = Readonly<Record<ManagedDatabase['type'], string>>;

const TABLE: Snippets = {
  postgresql: `create table orders (
  id bigint generated always as identity primary key,
  customer_id bigint not null references customers (id),
  total_cents integer not null check (total_cents >= 0),
  created_at timestamptz not null default now()
);`,
  mysql: `create table orders (
  id bigint unsigned not null auto_increment primary key,
  customer_id bigint unsigned not null,
  total_cents int not null check (total_cents >= 0),
  created_at timestamp not null default current_timestamp,
  foreign key (customer_id) references customers (id)
) engine = InnoDB;`,
  mongodb: `db.createCollection('orders', {
  validator: { $jsonSchema: { required: ['customerId', 'totalCents'], properties: { totalCents: { bsonType: 'int', minimum: 0 } } } },
});`,
};

const INDEX: Snippets = {
  postgresql: `create index concurrently orders_by_customer on orders (customer_id, created_at desc);`,
  mysql: `create index orders_by_customer on orders (customer_id, created_at desc);`,
  mongodb: `db.orders.createIndex({ customerId: 1, createdAt: -1 });`,
};

const EXPLAIN: Snippets = {
  postgresql: `explain (analyze, buffers) select * from orders where customer_id = 42;`,
  mysql: `explain analyze select * from orders where customer_id = 42;`,
  mongodb: `db.orders.find({ customerId: 42 }).explain('executionStats');`,
};

async function* typeOf(turn: LocalTurn) {
  const named = typeNamed(turn.asked);
  return named ?? (yield* findDatabase(turn)).database?.type ?? ('postgresql' as const);
}

function language(type: ManagedDatabase['type']): string {
  return type === 'mongodb' ? 'js' : 'sql';
}

export const createTable: Intent = {
  name: 'create-table',
  example: 'How do I create a table?',
  scopes: ['database'],
  about: ['database'],
  takesDetails: true,
  matches: [
    ['table', 'query'],
    ['table', 'database'],
    ['change', 'table', 'how'],
    ['change', 'table', 'how', 'database'],
    ['change', 'table', 'database'],
  ],
  matchesInScope: [['table'], ['change', 'table']],
  unless: ['index', 'slow', 'backup'],
  async *answer(turn): Answer {
    const type = yield* typeOf(turn);
    return paragraphs(
      `A table in ${type}, with a key, a reference and a rule:`,
      block(language(type), TABLE[type]),
      'Money is whole cents and instants have a time zone, so that nothing is rounded or shifted.',
    );
  },
};

export const createIndex: Intent = {
  name: 'create-index',
  example: 'How do I add an index?',
  scopes: ['database'],
  about: ['database'],
  takesDetails: true,
  matches: [
    ['index', 'table'],
    ['index', 'database'],
    ['index', 'query'],
    ['index', 'database', 'change'],
    ['index', 'slow'],
    ['index', 'how', 'table', 'database'],
  ],
  matchesInScope: [['index'], ['change', 'index']],
  async *answer(turn): Answer {
    const type = yield* typeOf(turn);
    return paragraphs(
      'Index the columns that you filter by first, then those that you sort by:',
      block(language(type), INDEX[type]),
      type === 'postgresql'
        ? '`concurrently` lets writes go on meanwhile; it cannot run inside a transaction.'
        : 'Every index makes writes a little slower, so add it for queries that you have.',
    );
  },
};

export const explainQuery: Intent = {
  name: 'explain-query',
  example: 'Why is my query slow?',
  scopes: ['database'],
  about: ['database'],
  takesDetails: true,
  matches: [
    ['slow', 'query'],
    ['slow', 'database'],
    ['slow', 'table'],
    ['why', 'slow', 'query'],
  ],
  matchesInScope: [['slow']],
  unless: ['deploy'],
  async *answer(turn): Answer {
    const type = yield* typeOf(turn);
    return paragraphs(
      'Let the server say how it runs the query:',
      block(language(type), EXPLAIN[type]),
      type === 'mongodb'
        ? '`COLLSCAN` reads everything: an index on the fields of the filter turns it into `IXSCAN`.'
        : 'A sequential (full) scan over many rows to return a few asks for an index on the columns of the `where`. Compare the estimated rows with the real ones: where they differ much, refresh the statistics with `analyze`.',
      'It really runs the query; wrap a write in a transaction and roll it back.',
    );
  },
};
