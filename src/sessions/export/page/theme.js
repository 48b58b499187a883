// The colours follow the system until a reader chooses; the choice is kept where the browser allows it.
const THEME_KEY = 'wield-theme';
const themeButtons = /** @type {HTMLButtonElement[]} */ ([...document.querySelectorAll('[data-theme-choice]')]);

/** @param {string} theme */
function setTheme(theme) {
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset['theme'] = theme;
  else delete document.documentElement.dataset['theme'];
  for (const button of themeButtons) button.setAttribute('aria-pressed', String(button.dataset['themeChoice'] === theme));
}

/** @returns {string} */
function keptTheme() {
  try {
    return localStorage.getItem(THEME_KEY) ?? 'auto';
  } catch {
    return 'auto';
  }
}

for (const button of themeButtons)
  button.addEventListener('click', () => {
    const theme = button.dataset['themeChoice'] ?? 'auto';
    setTheme(theme);
    try {
      localStorage.setItem(THEME_KEY, theme);
    } catch {
      // A page from a file may not keep anything.
    }
  });
setTheme(['light', 'dark'].includes(keptTheme()) ? keptTheme() : 'auto');
