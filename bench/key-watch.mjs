// Loaded into the browser before the page: tells how long after the next key, or another event, a response to it was painted, in
// milliseconds. `words`: the text that the first element of the selector has then.
window.answered = (selector, words, event = 'keydown') =>
  new Promise((resolve, fail) => {
    function isThere() {
      const element = document.querySelector(selector);
      if (!element || element.getClientRects().length === 0) return false;
      return words === undefined || element.innerText.trim() === words;
    }
    addEventListener(
      event,
      () => {
        const startTime = performance.now();
        setTimeout(() => fail(new Error(`${selector} does not come`)), 20_000);
        function look() {
          // A frame starts after the drawing of the previous one.
          requestAnimationFrame(isThere() ? (now) => resolve(now - startTime) : look);
        }
        requestAnimationFrame(look);
      },
      { capture: true, once: true },
    );
  });
