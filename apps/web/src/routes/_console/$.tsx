import { createFileRoute } from '@tanstack/react-router';
import { NotFoundPage } from '../../features/not-found/not-found-page.tsx';

/** Every path that is no page: the not-found screen, within the shell. */
export const Route = createFileRoute('/_console/$')({ component: NotFoundPage });
