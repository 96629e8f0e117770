import { createFileRoute } from '@tanstack/react-router';
import { FiguresPage } from '../../features/database-figures/figures-page.tsx';
import { figuresSearch } from '../../features/database-figures/figures-search.ts';

export const Route = createFileRoute('/_console/databases/$databaseId/figures')({
  validateSearch: figuresSearch,
  component: FiguresPage,
});
