import { pageMeta } from './pageMeta';

/** What users call the product that the server runs, as the page says. */
export function productTitle(): string {
  return pageMeta('application-name') ?? 'Assay';
}

/** Sets the title of the browser's tab: the page first, then the product. */
export function setDocumentTitle(page?: string): void {
  document.title = page ? `${page} · ${productTitle()}` : productTitle();
}
