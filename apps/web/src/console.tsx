import type { User } from '@nephos/contracts';
import { RouterProvider } from '@tanstack/react-router';
import { useState } from 'react';
import { createConsoleRouter } from './router.tsx';
import { createData } from './trpc.ts';

/** Everything that a signed-in person sees. Loaded once the session is known, so that visitors do not pay for it. */
export function Console({ user }: { user: User }) {
  const [router] = useState(() => {
    const data = createData();
    data.utils.auth.user.setData(undefined, user);
    return createConsoleRouter(data);
  });
  return <RouterProvider router={router} />;
}
