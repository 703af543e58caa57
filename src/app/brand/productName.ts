/** The product's display name. */
export const productName = 'Assay';

/** Sets the title of the browser's tab: the page first, then the product. */
export function setDocumentTitle(page?: string): void {
  document.title = page ? `${page} · ${productName}` : productName;
}
