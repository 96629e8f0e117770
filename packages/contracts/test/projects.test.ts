import { describe, expect, test } from 'vitest';
import { Page } from '../src/page.ts';
import { Branch, HealthPath, NewProject, RepositoryUrl } from '../src/projects.ts';
import { VariableName } from '../src/variables.ts';

describe('a branch', () => {
  test.each(['main', 'a', 'feature/login', 'release-1.2', 'v1.2.3', 'a'.repeat(200), 'HEADS', 'x/HEAD'])(
    '%s is accepted',
    (name) => {
      expect(Branch.safeParse(name).success).toBe(true);
    },
  );

  test.each([
    '',
    'HEAD',
    '-x',
    '--upload-pack=x',
    '/x',
    'x/',
    '.x',
    'x.',
    'a..b',
    'a//b',
    'a.lock',
    'a b',
    'a~b',
    'a^b',
    'a:b',
    'main`curl$' + '{IFS}x`',
    'a$(id)',
    'a;b',
    'a\nb',
    'ä',
    'a'.repeat(201),
  ])('%j is refused', (name) => {
    expect(Branch.safeParse(name).success).toBe(false);
  });
});

describe('a repository address', () => {
  test.each([
    '',
    'https://github.com/you/app.git',
    'https://example.com:8443/a/b',
    'http://127.0.0.1:4000/app.git',
    'file:///srv/git/app.git',
    ' https://example.com/x ',
  ])('%j has the form', (address) => {
    expect(RepositoryUrl.safeParse(address).success).toBe(true);
  });

  test.each([
    'https://user@example.com/x',
    'https://user:secret@example.com/x',
    'https://example.com/x?y=1',
    'https://example.com/x#y',
    'ssh://git@example.com/x',
    'git://example.com/x',
    'ext::sh -c id',
    'javascript:alert(1)',
    'example.com/x',
    'git@example.com:x/y.git',
    'https://example.com/a b',
    'https://example.com/$(id)',
    'https://example.com/`id`',
    '--upload-pack=x',
    'https://example.com/;id',
    `https://example.com/${'x'.repeat(2048)}`,
  ])('%j does not', (address) => {
    expect(RepositoryUrl.safeParse(address).success).toBe(false);
  });
});

describe('a new project', () => {
  test('has its defaults', () => {
    expect(NewProject.parse({ name: 'App' })).toEqual({
      name: 'App',
      description: '',
      repositoryUrl: '',
      image: '',
      branch: 'main',
      framework: 'nodejs',
    });
  });

  test('is trimmed, normalised, and stripped of what it may not set', () => {
    const parsed = NewProject.parse({
      name: '  Cafe\u0301 ',
      id: 'x',
      ownerId: 'y',
      slug: 'z',
      description: ' a\r\nb ',
    });
    expect(parsed).toEqual(expect.objectContaining({ name: 'Café', description: 'a\nb' }));
    expect(Object.keys(parsed).sort()).toEqual([
      'branch',
      'description',
      'framework',
      'image',
      'name',
      'repositoryUrl',
    ]);
  });

  test.each([
    { name: '' },
    { name: '   ' },
    { name: 'x'.repeat(101) },
    { name: 'a\u0000' },
    { name: 'a\nb' },
    { name: 'a\u202eb' },
    { name: 5 },
    { name: 'x', description: 'x'.repeat(1001) },
    { name: 'x', description: '\u0007' },
    { name: 'x', framework: 'cobol' },
  ])('%j is refused', (input) => {
    expect(NewProject.safeParse(input).success).toBe(false);
  });

  test.each([{ name: 'x' }, { name: 'x'.repeat(100) }, { name: 'x', description: 'x'.repeat(1000) }])(
    'bound %# is accepted',
    (input) => {
      expect(NewProject.safeParse(input).success).toBe(true);
    },
  );
});

test('a variable is named as POSIX has it, and is not PORT', () => {
  for (const name of ['A', '_a', 'DATABASE_URL', 'a'.repeat(100)])
    expect(VariableName.safeParse(name).success).toBe(true);
  for (const name of ['', '1A', 'A-B', 'A=B', 'A B', 'PORT', 'a'.repeat(101)])
    expect(VariableName.safeParse(name).success).toBe(false);
});

test('a health path is a path or nothing', () => {
  for (const path of ['', '/', '/healthz', '/a/b-c_d.e~f', '/a//b'])
    expect(HealthPath.safeParse(path).success).toBe(true);
  for (const path of [
    'healthz',
    '//127.0.0.2/a',
    '/a?b',
    '/a b',
    '/a#b',
    '/\r\nX: y',
    `/${'a'.repeat(200)}`,
  ]) {
    expect(HealthPath.safeParse(path).success).toBe(false);
  }
});

describe('a refusal', () => {
  test.each([
    [{}, 'Name is required.'],
    [{ name: 7 }, 'Name must be text.'],
    [{ name: 'x', framework: 'cobol' }, 'Framework must be one of nodejs, static, python.'],
  ])('of %j is a sentence for a person', (input, sentence) => {
    expect(NewProject.safeParse(input).error?.issues.map(({ message }) => message)).toEqual([sentence]);
  });

  test.each([{ limit: 0 }, { limit: 1.5 }, { limit: 'x' }])('of %j names the bounds of a page', (input) => {
    const [issue] = Page.safeParse(input).error?.issues ?? [];
    expect(issue?.message).toBe('Limit must be a whole number from 1 to 1000.');
  });
});
