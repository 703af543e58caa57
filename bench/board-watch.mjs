// Loaded into the browser before the page: tells when the first cards were painted, and when no column waits any more.
window.boardPainted = new Promise((resolve) => {
  let first;
  // A frame starts after the drawing of the previous one.
  function look(now) {
    const cards = document.querySelectorAll('.board-card:not([aria-hidden])').length;
    if (cards > 0) first ??= now;
    if (cards > 0 && !document.querySelector('.board-card[aria-hidden]')) {
      requestAnimationFrame((lastPaint) => resolve({ first, all: lastPaint, cards }));
    } else requestAnimationFrame(look);
  }
  requestAnimationFrame(look);
});
