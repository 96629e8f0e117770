import { keepPreviousData } from '@tanstack/react-query';
import { KEYSET_PAGES } from '../../lib/keyset-pages.ts';

/** What others change has no write of ours that says so: each visit asks again, and shows what it had meanwhile. */
export const FRESH = { refetchOnMount: 'always' } as const;

/** The pages of a list: what was shown stays until what was searched is there. */
export const FRESH_PAGES = { ...KEYSET_PAGES, ...FRESH, placeholderData: keepPreviousData } as const;
