import { createRootRouteWithContext, Outlet } from '@tanstack/react-router';
import type { Data } from '../lib/trpc.ts';

export const Route = createRootRouteWithContext<Pick<Data, 'utils'>>()({ component: Outlet });
