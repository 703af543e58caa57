import { useLayoutEffect } from 'react';

const name = 'aria-label';
const keptAttribute = 'data-name-beneath';

/**
 * Takes the names from what the content of the page shows while a form is open over it. It cannot be used then, but a
 * program that drives the browser, and looks for a field by its label, would find the column of that name too.
 */
export function useNamelessBeneath(): void {
  useLayoutEffect(() => {
    const content = document.getElementById('content');
    if (!content) return;
    const take = (element: Element) => {
      const label = element.getAttribute(name);
      if (label === null) return;
      element.setAttribute(keptAttribute, label);
      element.removeAttribute(name);
    };
    const takeAll = () => content.querySelectorAll(`[${name}]`).forEach(take);
    takeAll();
    const observer = new MutationObserver(takeAll);
    observer.observe(content, { subtree: true, childList: true, attributeFilter: [name] });
    return () => {
      observer.disconnect();
      content.querySelectorAll(`[${keptAttribute}]`).forEach((element) => {
        const value = element.getAttribute(keptAttribute);
        if (value !== null && !element.hasAttribute(name)) element.setAttribute(name, value);
        element.removeAttribute(keptAttribute);
      });
    };
  }, []);
}
