// Runs before the first paint, so that a page never flashes in the other scheme.
(function () {
  var choice = null;
  try {
    choice = localStorage.getItem('assay.theme');
  } catch {
    // Storage is switched off: follow the system.
  }
  if (choice !== 'light' && choice !== 'dark') {
    choice = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
  }
  document.documentElement.dataset.theme = choice;
})();
