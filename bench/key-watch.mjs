// Loaded into the browser before the page: tells how long after the next key a response to it was painted, in milliseconds.
// `words`: the text that the first element of the selector has then.
window.answered = (selector, words) =>
  new Promise((done) => {
    function isThere() {
      const found = document.querySelector(selector);
      if (!found || found.getClientRects().length === 0) return false;
      return words === undefined || found.innerText.trim() === words;
    }
    addEventListener(
      'keydown',
      () => {
        const begun = performance.now();
        function look() {
          // A frame starts after the drawing of the previous one.
          requestAnimationFrame(isThere() ? (now) => done(now - begun) : look);
        }
        requestAnimationFrame(look);
      },
      { capture: true, once: true },
    );
  });
