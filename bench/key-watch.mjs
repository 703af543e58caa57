// Loaded into the browser before the page: tells how long after the next key, or another event, a response to it was painted, in
// milliseconds. `words`: the text that the first element of the selector has then.
window.answered = (selector, words, event = 'keydown') =>
  new Promise((done, fail) => {
    function isThere() {
      const found = document.querySelector(selector);
      if (!found || found.getClientRects().length === 0) return false;
      return words === undefined || found.innerText.trim() === words;
    }
    addEventListener(
      event,
      () => {
        const begun = performance.now();
        setTimeout(() => fail(new Error(`${selector} does not come`)), 20_000);
        function look() {
          // A frame starts after the drawing of the previous one.
          requestAnimationFrame(isThere() ? (now) => done(now - begun) : look);
        }
        requestAnimationFrame(look);
      },
      { capture: true, once: true },
    );
  });
