export type Theme = 'auto' | 'light' | 'dark';

const KEY = 'symphony.theme';
const THEMES: readonly Theme[] = ['auto', 'light', 'dark'];

export function savedTheme(): Theme {
  const saved = localStorage.getItem(KEY);
  return THEMES.find((theme) => theme === saved) ?? 'auto';
}

/** `auto` leaves it to the system. */
export function applyTheme(theme: Theme): void {
  localStorage.setItem(KEY, theme);
  if (theme === 'auto') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = theme;
}

export function nextTheme(theme: Theme): Theme {
  return THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length] ?? 'auto';
}
