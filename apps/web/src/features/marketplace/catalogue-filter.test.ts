import { describe, expect, it } from 'vitest';
import { mockItem } from '../../test/mock-world.ts';
import { categoriesOf, filterItems } from './catalogue-filter.ts';

const ITEMS = [
  mockItem({ id: 'site', name: 'Static SITE', description: 'One page.', category: 'Websites' }),
  mockItem({ id: 'api', name: 'Node API', description: 'Answers a site.', category: 'APIs' }),
  mockItem({ id: 'react', name: 'React', description: 'Built by Vite.', category: 'Websites' }),
];

function found(text: string, category?: string) {
  return filterItems(ITEMS, { text, category }).map(({ id }) => id);
}

describe('the filter of the catalogue', () => {
  it('looks for the words in name or description, in any case', () => {
    expect(found('')).toEqual(['site', 'api', 'react']);
    expect(found('Site')).toEqual(['site', 'api']);
    expect(found('  VITE ')).toEqual(['react']);
    expect(found('websites')).toEqual([]);
  });

  it('takes a category exactly, together with the words', () => {
    expect(found('', 'Websites')).toEqual(['site', 'react']);
    expect(found('site', 'Websites')).toEqual(['site']);
    expect(found('', 'Web')).toEqual([]);
  });

  it('knows each category once, sorted', () => {
    expect(categoriesOf(ITEMS)).toEqual(['APIs', 'Websites']);
    expect(categoriesOf([])).toEqual([]);
  });
});
