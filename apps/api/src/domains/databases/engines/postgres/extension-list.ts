/**
 * Extensions that people can add, by what they are for. Those that read files, reach other servers, look into pages or run
 * code outside of PostgreSQL's own languages are left out.
 */
export const OFFERED_EXTENSIONS: Readonly<Record<string, string>> = {
  bloom: 'Indexes over many columns of which any may be asked for',
  btree_gin: 'GIN indexes over plain values',
  btree_gist: 'GiST indexes over plain values, as for exclusion constraints',
  citext: 'Text that ignores case',
  cube: 'Points and boxes in several dimensions',
  dict_int: 'Full-text search: numbers',
  dict_xsyn: 'Full-text search: synonyms',
  earthdistance: 'Distances on the globe',
  fuzzystrmatch: 'Texts that sound alike, and their edit distance',
  hstore: 'Keys and values in one column',
  intarray: 'Functions and indexes for arrays of integers',
  isn: 'Product numbers such as ISBN and EAN',
  lo: 'Large objects that go with their rows',
  ltree: 'Labels in a tree',
  moddatetime: 'A trigger that notes when a row changed',
  pg_trgm: 'Similar texts, and indexes for LIKE',
  pgcrypto: 'Hashes, ciphers and random bytes',
  pgrowlocks: 'Rows that are locked in a table',
  seg: 'Intervals of measured values',
  tablefunc: 'Pivot tables',
  tcn: 'Notifications of changed rows',
  tsm_system_rows: 'Samples of so many rows',
  tsm_system_time: 'Samples of as many rows as a time allows',
  unaccent: 'Full-text search: text without accents',
  'uuid-ossp': 'UUIDs of versions 1 and 3 to 5',
};
