import { useEffect } from 'react';

function refuse(event: DragEvent) {
  event.preventDefault();
}

/** Keeps a file that is dropped beside its frame from taking the page's place. */
export function useDropGuard(): void {
  useEffect(() => {
    window.addEventListener('dragover', refuse);
    window.addEventListener('drop', refuse);
    return () => {
      window.removeEventListener('dragover', refuse);
      window.removeEventListener('drop', refuse);
    };
  }, []);
}
