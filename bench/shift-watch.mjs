// Loaded into the browser before the page: keeps what moved although nobody touched anything, and the elements that did.
window.shifts = [];
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) {
    if (entry.hadRecentInput) continue;
    const of = entry.sources.map(({ node, previousRect: from, currentRect: to }) => {
      const element = node instanceof Element ? node : node?.parentElement;
      const name = element ? `${element.tagName.toLowerCase()}.${[...element.classList].join('.')}` : 'removed';
      return `${name} ${[from, to].map(({ x, y, width, height }) => [x, y, width, height].map(Math.round)).join(' to ')}`;
    });
    window.shifts.push({ value: entry.value, of });
  }
}).observe({ type: 'layout-shift', buffered: true });
