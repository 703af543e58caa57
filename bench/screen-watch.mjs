// Loaded into the browser before the page: tells when the first paint was, and when something to look at was painted.
window.painted = (selector) =>
  new Promise((resolve, fail) => {
    const limit = performance.now() + 30_000;
    const look = () => {
      if (performance.now() > limit) return fail(new Error(`${selector} does not come`));
      const isVisible = [...document.querySelectorAll(selector)].some((element) => element.getClientRects().length > 0);
      requestAnimationFrame(isVisible ? (now) => resolve(now) : look);
    };
    look();
  });
