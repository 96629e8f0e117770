// How every test searches its page.
import { configure } from '@testing-library/react';

configure({
  // A failed search says which, without the whole page.
  getElementError: (message) => new Error(message ?? 'Element not found'),
  // Milliseconds: a busy machine takes its time over a page's first import.
  asyncUtilTimeout: 15_000,
});
