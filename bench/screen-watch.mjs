// Loaded into the browser before the page: tells when the first paint was, and when something to look at was painted.
window.painted = (selector) =>
  new Promise((done, fail) => {
    const limit = performance.now() + 30_000;
    const look = () => {
      if (performance.now() > limit) return fail(new Error(`${selector} does not come`));
      const found = [...document.querySelectorAll(selector)].some((one) => one.getClientRects().length > 0);
      requestAnimationFrame(found ? (now) => done(now) : look);
    };
    look();
  });
