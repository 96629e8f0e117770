import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { StatusBadge } from './status-badge.tsx';

afterEach(cleanup);

it.each([
  ['active', 'Active', 'text-success'],
  ['completed', 'Completed', 'text-success'],
  ['failed', 'Failed', 'text-danger'],
  ['cancelled', 'Cancelled', 'text-danger'],
  ['pending', 'Pending', 'text-muted'],
  ['processing', 'Processing', 'text-muted'],
  ['past_due', 'Past due', 'text-muted'],
])('%s is shown as %s', (status, label, tone) => {
  render(<StatusBadge status={status} />);
  expect(screen.getByText(label).className).toContain(tone);
});
