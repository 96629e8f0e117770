import { describe, expect, test } from 'vitest';
import { splitDump } from './split-dump.ts';

/** The parts of a dump that comes in pieces of `size` bytes; rows as one text. */
async function split(dump: string | Buffer, size = 7) {
  const bytes = Buffer.from(dump);
  // As a source does, that uses its memory again.
  const memory = Buffer.alloc(size);
  async function* pieces() {
    for (let at = 0; at < bytes.length; at += size) {
      memory.fill(0);
      const length = bytes.copy(memory, 0, at, at + size);
      yield memory.subarray(0, length);
    }
  }
  const parts: { sql: string; line: number; rows?: string }[] = [];
  let rows: Buffer[] | undefined;
  for await (const part of splitDump(pieces())) {
    if (part.kind === 'statement') {
      expect(rows).toBeUndefined();
      parts.push({ sql: part.sql, line: part.line });
      if (part.takesRows) rows = [];
    } else if (part.kind === 'rows') rows?.push(Buffer.from(part.bytes));
    else {
      const last = parts.at(-1);
      if (last && rows) last.rows = Buffer.concat(rows).toString();
      rows = undefined;
    }
  }
  expect(rows).toBeUndefined();
  return parts;
}

/** The statements, cut at each byte. */
async function statements(dump: string) {
  const whole = await split(dump, 1_000_000);
  for (const size of [1, 2, 3, 5]) expect(await split(dump, size)).toEqual(whole);
  return whole.map(({ sql }) => sql);
}

describe('statements', () => {
  test.each([
    ['strings', "select 'a;b''c;', 'back\\';", 'select 1;'],
    ['strings with escapes', "select E'a\\';b''c\\\\', e'\n;'\n '\\';';", 'select 1;'],
    ['a name that ends with e before a string', "select typee'\\';", 'select 1;'],
    ['names', 'create table "a;""b" ("c--d" int);', 'select 1;'],
    ['dollar quotes', "select $$a;$b$;'$$, $x1$ $$;$x $x1$;", 'select 1;'],
    ['a dollar within a name, and parameters', 'select a$b$, $1;', 'select $1$$;$$, 1$$;$$;'],
    ['comments', 'select 1 -- a;\n/* b; /* c; */ d; */ + 2;', 'select 1;'],
    ['operators of their letters', 'select 1 - -1, 4 / 2, a->b, a->>b, 2*-1;', 'select 1;'],
    ['parentheses', 'create rule r as on insert to t do (select 1; select 2);', 'select 1;'],
    [
      'bodies of functions',
      'CREATE OR REPLACE FUNCTION public.f() RETURNS int LANGUAGE sql\nBEGIN ATOMIC\n SELECT CASE WHEN true THEN 1 ELSE 2 END;\n SELECT 2;\nEND;',
      'select begin;',
    ],
    ['letters of all kinds', 'select \'é;\', ü from "日本;";', 'select 1;'],
  ])('keeps %s together', async (_, ...those) => {
    expect(await statements(those.join('\n'))).toEqual(those);
  });

  test('leaves out what is between them, and tells the line in which each begins', async () => {
    const dump = '\ufeff-- a\n\n/* b\n*/ select\n1;;\r\n ;\r\nselect 2;select 3;\n-- end';
    expect(await split(dump)).toEqual([
      { sql: 'select\n1;', line: 4 },
      { sql: 'select 2;', line: 7 },
      { sql: 'select 3;', line: 7 },
    ]);
    expect(await split('select 1; -- a\rselect 2;')).toEqual([
      { sql: 'select 1;', line: 1 },
      { sql: 'select 2;', line: 1 },
    ]);
    expect(await split('')).toEqual([]);
  });
});

describe('rows', () => {
  test.each([
    ['of lines', 'COPY public.t (a, b) FROM stdin;', "1\tit's;\n2\t\\.\n\\.x\n\\\\.\n", '\n'],
    [
      'of lines that end by two characters',
      'copy t from stdin with (format csv);',
      '1,"a;b"\r\n\\.,2\r\n',
      '\r\n',
    ],
    ['that are none', 'COPY "from stdin" FROM STDIN;', '', '\n'],
  ])('hands on rows %s as they are', async (_, sql, rows, end) => {
    const dump = `select 1;\n${sql}${end}${rows}\\.${end}select 2;${end}`;
    for (const size of [1, 2, 3, 4, 5, 1000]) {
      expect(await split(dump, size)).toEqual([
        { sql: 'select 1;', line: 1 },
        { sql, line: 2, rows },
        { sql: 'select 2;', line: 3 + rows.split('\n').length },
      ]);
    }
    // Nothing follows, and the last line has no end.
    const [copy] = await split(`${sql}\n${rows}\\.`, 3);
    expect(copy).toEqual({ sql, line: 1, rows });
  });

  test('takes none for other statements', async () => {
    const dump = 'copy (select stdin from t) to stdout;select "from" stdin from stdin;copy t from \'x\';';
    expect(await statements(dump)).toHaveLength(3);
    expect((await split(dump)).every(({ rows }) => rows === undefined)).toBe(true);
  });
});

describe('a dump', () => {
  test('may have the two commands that keep others out', async () => {
    const dump = '--\n\\restrict aB1\nselect 1;\n\n\\unrestrict aB1';
    for (const size of [1, 4, 100]) expect(await split(dump, size)).toEqual([{ sql: 'select 1;', line: 3 }]);
  });

  test.each([
    [
      'select 1;\n\\! touch x\n',
      'Line 2 has \\!, a command of psql. Only SQL is run here: make the dump with pg_dump.',
    ],
    ['\\restricted\n', 'Line 1 has \\restricted, a command'],
    ['select 1 \\gexec\n', 'Line 1 has \\gexec, a command'],
    ['create database a;\n\\connect a\n', 'Line 2 goes to another database (\\connect).'],
    [`\\restrict ${'a'.repeat(5000)}`, 'Line 1 has \\, a command'],
    ["select 1;\n\nselect 'a;\n", 'The dump ends within the statement that begins in line 3.'],
    ['select 1; /* a', 'The dump ends within the statement that begins in line 1.'],
    ['copy t from stdin;\n1\n2', 'The dump ends within the rows of a table, in line 3.'],
    ['copy t from stdin;', 'The dump ends within the rows of a table, in line 1.'],
    ['copy t from stdin; select 1;\n', 'Line 1 has something beside a COPY whose rows follow.'],
    ['select 1;\n\0', 'Line 2 has a zero byte.'],
    [
      Buffer.from("select 1;\nselect '\xe9';", 'latin1'),
      'The statement that begins in line 2 is not in UTF-8.',
    ],
    [
      `select '${'a'.repeat(16 * 1024 * 1024)}';`,
      'The statement that begins in line 1 is longer than 16 MB.',
    ],
  ])('is refused, and its line told (%#)', async (dump, message) => {
    await expect(split(dump, 4096)).rejects.toThrow(message);
  });

  test('passes rows of other encodings, and statements of up to 16 MB', async () => {
    const rows = Buffer.from('copy t from stdin;\n\xe9\n\\.\n', 'latin1');
    expect(await split(rows)).toHaveLength(1);
    const [{ sql = '' } = {}] = await split(`select '${'a'.repeat(16 * 1024 * 1024 - 16)}';`, 65536);
    expect(sql).toHaveLength(16 * 1024 * 1024 - 6);
  });
});
