import { useEffect } from 'react';
import { toast } from '../ui/toast.ts';
import { findNewVersion, isMissingPart } from './missing-part.ts';
import { MISSING_PART_WORDS } from './missing-part-notice.tsx';

export interface MissingPartToastProps {
  error: unknown;
  /** Whether the person asks for it now. */
  wanted: boolean;
}

/** Where something beside the page could not be loaded. The page stays, and what was typed into it. */
export function MissingPartToast({ error, wanted }: MissingPartToastProps) {
  useEffect(() => {
    if (!wanted) return;
    void findNewVersion().then((served) => {
      if (served !== 'reloading') toast({ ...MISSING_PART_WORDS[served], variant: 'destructive' });
    });
  }, [wanted]);

  if (!isMissingPart(error)) throw error;
  return null;
}
