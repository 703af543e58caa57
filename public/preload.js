// Runs while the page is being read: for whoever is signed in it shows the frame of the application, and asks for its
// scripts and those that this address needed the last time, so that they come along with the entry instead of after it.
(function () {
  var root = document.documentElement;
  try {
    var session = JSON.parse(localStorage.getItem('assay.session'));
    // Pages before sign-in, and shared records, whose addresses end with a long code.
    if (!session || !session.user || /^\/auth(\/|$)|^\/[^/]+\/[\w-]{20,}$/.test(location.pathname)) return;
    root.dataset.frame = 'expected';
    var notes = JSON.parse(localStorage.getItem('assay.ahead.' + session.user.id)) || {};
    var known = notes[location.pathname + location.search];
    var isCurrent = known && known.entry === document.querySelector('script[type="module"]').src;
    if (isCurrent && known.folded) root.dataset.menu = 'folded';
    var scriptsOf = function (part) {
      var meta = document.querySelector('meta[name="' + part + '"]');
      return meta ? meta.content.split(' ') : [];
    };
    // Which screen an address has is known from the last time, with whatever build; most addresses of one part are lists.
    var scripts = (known && known.scripts) || [];
    var isList = scripts.length ? /\/list-/.test(scripts.join(' ')) : /^\/[a-z][a-z0-9-]*$/.test(location.pathname);
    var expected = scriptsOf('frame').concat(isList ? scriptsOf('list') : []);
    // A script that is asked for twice is loaded once.
    expected.concat(isCurrent ? scripts : []).forEach(function (path) {
      var link = document.createElement('link');
      link.rel = 'modulepreload';
      link.href = path;
      document.head.append(link);
    });
  } catch {
    // Storage is switched off, or holds something else: the application asks for its parts itself.
  }
})();
