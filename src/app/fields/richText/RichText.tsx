import { createElement, useMemo, type ReactNode } from 'react';
import { allowedMarkup, numericAttributes } from '../../../engine/formats/allowed-markup';

const { tags, schemes, link } = allowedMarkup;
const droppedTags = new Set(['script', 'style', 'template', 'iframe', 'object', 'title', 'textarea', 'noscript']);
const safeAddress = new RegExp(`^(?:${schemes.join('|')}):`, 'i');
/** Headings in the text rank below those of the page. */
const heading = /^h[1-6]$/;

/**
 * Rich text. The server sanitizes it when it is stored; here it is built from safe elements only as well, so that
 * nothing stored otherwise can run on a public page.
 */
export function RichText({ html, className = '' }: { html: string; className?: string }) {
  const content = useMemo(() => {
    const { body } = new DOMParser().parseFromString(html, 'text/html');
    return [...body.childNodes].map(renderNode);
  }, [html]);
  return <div className={`formatted ${className}`}>{content}</div>;
}

function renderNode(node: Node, key: number): ReactNode {
  if (node.nodeType === Node.TEXT_NODE) return node.textContent;
  if (!(node instanceof Element)) return null;
  const tag = node.tagName.toLowerCase();
  if (droppedTags.has(tag)) return null;
  const children = [...node.childNodes].map(renderNode);
  if (!tags.has(tag)) return children;
  if (tag === 'br' || tag === 'hr') return createElement(tag, { key });
  if (heading.test(tag)) return createElement('p', { key, 'data-heading': '' }, ...children);
  return createElement(tag, { key, ...attributes(tag, node) }, ...children);
}

function attributes(tag: string, node: Element): Record<string, string | number> {
  const href = node.getAttribute('href')?.trim() ?? '';
  if (tag === 'a' && safeAddress.test(href)) return { href, ...link };
  // A wide table scrolls, also by keys.
  if (tag === 'table') return { tabIndex: 0 };
  const entries = numericAttributes(tag).map(
    (name) => [propOf[name] ?? name, Number(node.getAttribute(name) ?? NaN)] as const,
  );
  return Object.fromEntries(entries.filter(([, value]) => Number.isInteger(value) && value > 0 && value < 1000));
}

/** The attributes that React calls by another name. */
const propOf: Readonly<Record<string, string>> = { colspan: 'colSpan', rowspan: 'rowSpan' };
