// Applies the stored theme before the first paint. A file of its own, because the policy allows no inline script.
(() => {
  var theme = 'dark';
  try {
    if (localStorage.getItem('theme') === 'light') theme = 'light';
  } catch (_) {
    // Storage may be closed to us; the default theme stands.
  }
  document.documentElement.className = theme;
})();
