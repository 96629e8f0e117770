import { expect, test } from 'vitest';
import { html } from './html.ts';

test('escapes what it is given, wherever it stands', () => {
  const hostile = `"><script>alert('&')</script>`;
  expect(html`<a title="${hostile}">${hostile}</a>`.toString()).toBe(
    '<a title="&quot;&gt;&lt;script&gt;alert(&#39;&amp;&#39;)&lt;/script&gt;">' +
      '&quot;&gt;&lt;script&gt;alert(&#39;&amp;&#39;)&lt;/script&gt;</a>',
  );
});

test('takes its own markup as it is, joins lists and leaves out what is not there', () => {
  const items = ['<1>', '2'].map((item) => html`<li>${item}</li>`);
  expect(html`<ul>${items}${false}${null}${undefined}${0}</ul>`.toString()).toBe(
    '<ul><li>&lt;1&gt;</li><li>2</li>0</ul>',
  );
});

test('an object that only looks like markup is not taken for it', () => {
  const forged = { markup: '<b>' } as unknown as string;
  expect(html`${forged}`.toString()).not.toContain('<b>');
});
