import { Moon, Sun } from 'lucide-react';
import { useSyncExternalStore } from 'react';
import { IconButton } from '../ui/icon-button.tsx';

export type Theme = 'light' | 'dark';

/** Shared with `public/theme.js`, which applies the stored theme before the first paint. */
const STORAGE_KEY = 'theme';

const listeners = new Set<() => void>();

/** The theme in force: the class of the document's root. */
function currentTheme(): Theme {
  return document.documentElement.classList.contains('light') ? 'light' : 'dark';
}

function apply(theme: Theme) {
  document.documentElement.className = theme;
  for (const listener of listeners) listener();
}

/** Applies a theme and remembers it in this browser. */
export function setTheme(theme: Theme): void {
  localStorage.setItem(STORAGE_KEY, theme);
  apply(theme);
}

function followOtherTabs(event: StorageEvent) {
  if (event.key === STORAGE_KEY) apply(event.newValue === 'light' ? 'light' : 'dark');
}

function subscribe(listener: () => void) {
  if (listeners.size === 0) window.addEventListener('storage', followOtherTabs);
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) window.removeEventListener('storage', followOtherTabs);
  };
}

/** The theme in force and the way to the other one. */
export function useTheme() {
  const theme = useSyncExternalStore(subscribe, currentTheme);
  return { theme, toggleTheme: () => setTheme(theme === 'dark' ? 'light' : 'dark') };
}

export function ThemeToggle() {
  const { theme, toggleTheme } = useTheme();
  const label = theme === 'dark' ? 'Switch to light theme' : 'Switch to dark theme';
  return (
    <IconButton label={label} title={label} onClick={toggleTheme}>
      {theme === 'dark' ? <Sun /> : <Moon />}
    </IconButton>
  );
}
