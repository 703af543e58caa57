import { pageMeta } from './pageMeta';

/**
 * The name of the product that the server runs, as the page gives it.
 *
 * @example productTitle(); // 'Assay'
 */
export function productTitle(): string {
  return pageMeta('application-name') ?? 'Assay';
}

/**
 * Sets the title of the browser's tab: the page first, then the product.
 *
 * @example setDocumentTitle('Timesheet'); // 'Timesheet · Assay'
 */
export function setDocumentTitle(page?: string): void {
  document.title = page ? `${page} · ${productTitle()}` : productTitle();
}
