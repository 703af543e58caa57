// Loaded into the browser before the page: keeps what moved although nobody touched anything, and the elements that did.
window.shifts = [];
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) {
    if (entry.hadRecentInput) continue;
    const movedElements = entry.sources.map(({ node, previousRect, currentRect }) => {
      const element = node instanceof Element ? node : node?.parentElement;
      const name = element ? `${element.tagName.toLowerCase()}.${[...element.classList].join('.')}` : 'removed';
      return `${name} ${[previousRect, currentRect].map(({ x, y, width, height }) => [x, y, width, height].map(Math.round)).join(' to ')}`;
    });
    window.shifts.push({ value: entry.value, of: movedElements });
  }
}).observe({ type: 'layout-shift', buffered: true });
