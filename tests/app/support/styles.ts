// Nothing is laid out or painted in jsdom. Its own way to compute styles looks at each rule of each sheet for each
// element, which took most of the time of tests.
import createCache from '@emotion/cache';

const rules: string[] = [];
const sheet = createCache({ key: 'unused' }).sheet.constructor as unknown as {
  prototype: { insert: (rule: string) => void };
};
sheet.prototype.insert = (rule) => void rules.push(rule);

const computeStyle = window.getComputedStyle.bind(window);
const displays = new Map<string, string>();

function declared(element: Element, property: string): string {
  return element.hasAttribute('style') ? (element as HTMLElement).style.getPropertyValue(property) : '';
}

function display(element: Element): string {
  return element.hasAttribute('hidden') ? 'none' : declared(element, 'display') || displayOf(element.localName);
}

/** How elements of a name are shown that say nothing about it. */
function displayOf(name: string): string {
  const display = displays.get(name) ?? computeStyle(document.createElement(name)).display;
  displays.set(name, display);
  return display;
}

const inherited = (property: string, initial: string) => (element: Element) => {
  for (let one: Element | null = element; one; one = one.parentElement) {
    const value = declared(one, property);
    if (value && value !== 'inherit') return value;
  }
  return initial;
};

const visibility = inherited('visibility', 'visible');
const pointerEvents = inherited('pointer-events', 'auto');
const userSelect = inherited('user-select', 'auto');
const properties = new Map<string | symbol, (element: Element) => string>([
  ['display', display],
  ['visibility', visibility],
  ['pointerEvents', pointerEvents],
  ['pointer-events', pointerEvents],
  ['userSelect', userSelect],
  ['user-select', userSelect],
]);

window.getComputedStyle = (element, pseudoElement) => {
  let style: CSSStyleDeclaration | undefined;
  const whole = () => (style ??= computeStyle(element, pseudoElement));
  const getPropertyValue = (name: string) => properties.get(name)?.(element) ?? whole().getPropertyValue(name);
  return new Proxy({} as CSSStyleDeclaration, {
    get(_, name) {
      if (name === 'getPropertyValue') return getPropertyValue;
      const value: unknown = properties.get(name)?.(element) ?? Reflect.get(whole(), name);
      return typeof value === 'function' ? value.bind(whole()) : value;
    },
  });
};

/** The value of a property with the rules of the components' styles, which are not in the page otherwise. */
export function paintedValue(element: Element, property: string): string {
  const style = document.head.appendChild(document.createElement('style'));
  style.textContent = rules.filter((rule) => [...element.classList].some((name) => rule.includes(name))).join('\n');
  const value = computeStyle(element).getPropertyValue(property);
  style.remove();
  return value;
}
